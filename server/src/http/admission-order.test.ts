import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import type { Account } from "../context.ts";
import { admission } from "./admission.ts";

/** The order in which waiting requests are admitted. */

const settings = {
  WAYBILL_REQUESTS_IN_WORK_MAX: "8",
  WAYBILL_ACCOUNT_REQUESTS_IN_WORK_MAX: "3",
  WAYBILL_ADMISSION_WAIT_SECONDS: "20",
};

test("a freed slot goes to production, though the sandbox has waited longer", async () => {
  const places = admission(readConfig(settings));
  const enter = async (account_id: string, environment: "live" | "test" = "live") => {
    const request = { headers: {}, query: {}, routeOptions: { config: {} } } as FastifyRequest;
    const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
    await places.enter(request, reply, { account_id, environment } as Account);
    return () => places.leave(request);
  };
  const others = ["acc_1", "acc_1", "acc_1", "acc_2", "acc_2", "acc_2", "acc_3", "acc_4"];
  const [leaveFirst, leaveSecond] = await Promise.all(others.map((id) => enter(id)));
  const order: string[] = [];
  const sandbox = enter("acc_sandbox", "test").then(() => order.push("sandbox"));
  const production = enter("acc_production").then(() => order.push("production"));
  leaveFirst!();
  await Promise.race([sandbox, production]);
  leaveSecond!();
  await Promise.all([sandbox, production]);
  expect(order).toEqual(["production", "sandbox"]);
});
