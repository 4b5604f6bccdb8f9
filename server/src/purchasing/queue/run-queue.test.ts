import { pino } from "pino";
import { expect, test } from "vitest";
import type { Platform } from "../../context.ts";
import type { PurchaseQueue, QueueJob, QueueSource } from "./queue.ts";
import { runQueue } from "./run-queue.ts";

/** The steps of a round, with a queue that purchases nothing. */

const platform = { log: pino({ level: "silent" }) } as unknown as Platform;

/** A queue of one account that always has more, and what was done with it. */
function endlessQueue(changes: Partial<PurchaseQueue<QueueSource, QueueJob>>) {
  const done: string[] = [];
  const account = { account_id: "acc_a", settings: {} } as QueueSource["account"];
  const source = { account_id: "acc_a", account, has_waiting: true };
  let count = 0;
  const queue: PurchaseQueue<QueueSource, QueueJob> = {
    name: "test",
    places: { all: 4, of_account: 4 },
    list: () => Promise.resolve([source]),
    idOf: ({ account_id }) => account_id,
    claim: (_source, limit) =>
      Promise.resolve(
        Array.from({ length: limit }, () => ({
          account_id: "acc_a",
          shipment_id: `shp_${count++}`,
          tries: 0,
        })),
      ),
    releaseLost: () => Promise.resolve(void done.push("released")),
    begunBy: () => ({ principal: { kind: "system", name: "test" }, request_id: null }),
    buy: () => Promise.resolve({ status: "succeeded", cost_cents: 1 }),
    end: (ended) => Promise.resolve(void done.push(...ended.map(({ end }) => end.status))),
    ...changes,
  };
  return { done, queue };
}

test("an end that cannot be written ends the round, and its job is released by the next one", async () => {
  const { done, queue } = endlessQueue({ end: () => Promise.reject(new Error("boom")) });
  const { signal } = new AbortController();
  await runQueue(platform, queue, signal);
  await runQueue(platform, queue, signal);
  expect(done).toEqual(["released", "released"]);
});
