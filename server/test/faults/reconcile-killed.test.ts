import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { liveCodes, reborn, reconcileCli, twoLives, type TwoLives } from "../set-back.ts";
import { ended, runCli, startCli } from "../shell.ts";
import { aShipment } from "../shipments.ts";
import { carrierCalls, untilCalled } from "./moments.ts";
import { anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** `kill -9` in the middle of a reconciliation, repeatedly: the next one finishes it. */

const service = "ups.standard";
const place = (world: World) => ({ ...world, settings: { WAYBILL_LEASE_SECONDS: "2" } });
const command = ["reconcile", "--json", "--accept-data-loss"];

let lives: TwoLives;
let shop: TestAccount;
let second: World;
let expected_cents: number;
let bought: string[];
beforeAll(async () => {
  lives = await twoLives();
  shop = await anAccount(lives.first, { balance_cents: 100_000 });
  const drafts = await Promise.all([1, 2, 3].map(async () => (await shop.create(aShipment())).id));
  const fetched = [await aLabelled(shop, "ups"), await aLabelled(shop, "canada_post")];
  const labelled = await liveCodes(lives.first);
  await lives.backUp();
  bought = [...labelled] as string[];
  for (const id of drafts)
    bought.push(
      must(await shop.buy(id, { service }, { "idempotency-key": id }), 201).data.tracking_code!,
    );
  for (const amount of [11, 12])
    must(
      await shop.post("/credits/top-up", { amount }, { "idempotency-key": `pay-${amount}` }),
      201,
    );
  await scheduled(shop, ...fetched);
  expected_cents = await shop.balanceCents();
  for (const name of ["a", "b", "c"]) {
    const body = { ...aShipment(), service };
    must(await shop.post("/labels", body, { "idempotency-key": `create-${name}` }), 201);
  }
  second = await lives.setBack();
  shop = reborn(second, shop);
});
afterAll(() => lives.close());

test("of two concurrent ones one is refused", async () => {
  const since = await carrierCalls(second);
  await setDials(second, { ups: { hang: true, operations: ["look_ups"] } });
  const first = startCli([...command, "--dry-run"], place(second));
  await untilCalled(second, { carrier: "ups", operation: "look_ups", since });
  const refused = await runCli([...command, "--dry-run"], place(second));
  first.kill("SIGKILL");
  await ended(first);
  await setDials(second, {});
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("another `waybill reconcile` is running");
});

test("killed at any of its steps and run again, it ends the same", async () => {
  await setDials(second, { "*": { latency_ms: 200, operations: ["voids", "payments"] } });
  const count = async () => (await second.db.selectFrom("attempts").select("id").execute()).length;
  const start = await count();
  for (const steps of [1, 2, 4, 6, 9]) {
    const running = startCli(command, place(second));
    const ending = once(running, "exit");
    await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(start + steps), {
      timeout: 20_000,
      interval: 5,
    });
    running.kill("SIGKILL");
    await ending;
  }
  const unfinished = await second.db
    .selectFrom("restores")
    .select("id")
    .where("reconciled_at", "is", null)
    .execute();
  expect(unfinished).toHaveLength(1);
  await setDials(second, {});
  const report = await reconcileCli(place(second));
  expect(report).toMatchObject({ status: 0 });
  await assertInvariants(second);
  expect(await shop.balanceCents()).toBe(expected_cents);
  expect(await liveCodes(second)).toEqual(bought);
  const charges = (await readJournal(second)).filter(({ operation }) =>
    operation.startsWith("charge"),
  );
  expect(charges.map(({ operation }) => operation)).toEqual(["charge", "charge"]);
});
