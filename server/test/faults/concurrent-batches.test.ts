import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  createBatch,
  createMany,
  errorsOf,
  processBatch,
  showBatch,
  untilProcessed,
  type Batch,
} from "../batches.ts";
import { outcomeOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** Batches concurrent with other work: other accounts', single purchases, a suspended account. */

let world: World;
beforeAll(async () => {
  world = await aPlatform({ WAYBILL_RATE_TIMEOUT_SECONDS: "2" });
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

/** An account with a batch that is being processed. */
async function aRun(
  count: number,
  body?: object,
): Promise<{ account: TestAccount; id: string; ids: string[] }> {
  const account = await anAccount(world, { balance_cents: 10_000_000 });
  const entry = aShipment({ service: "ups.standard" });
  const ids = await createMany(account, Array<typeof entry>(count).fill(entry));
  const { id } = await createBatch(account, ids);
  must(await processBatch(account, id, body), 202);
  return { account, id, ids };
}

async function untilBegun({ account, id }: { account: TestAccount; id: string }): Promise<void> {
  await vi.waitFor(
    async () => expect((await showBatch(account, id)).success_count).toBeGreaterThan(0),
    {
      timeout: 10_000,
      interval: 20,
    },
  );
}

test("a small batch ends within three seconds while a large one of another account runs", async () => {
  await setDials(world, { "*": { latency_ms: 100 } });
  const large = await aRun(250);
  await untilBegun(large);
  const small = await aRun(10);
  const accepted = performance.now();
  const seen: Batch[] = [];
  expect(await untilProcessed(small.account, small.id, { seen })).toMatchObject({
    success_count: 10,
  });
  expect(performance.now() - accepted).toBeLessThan(3000);
  expect((await showBatch(large.account, large.id)).status).toBe("processing");
  await setDials(world, {});
  expect((await untilProcessed(large.account, large.id)).success_count).toBe(250);
});

test("an account whose carrier hangs does not delay other accounts' batches", async () => {
  await setDials(world, { ups: { hang: true, operations: ["quotes"] } });
  const hanging = await aRun(30);
  const account = await anAccount(world);
  const ids = await createMany(
    account,
    Array.from({ length: 10 }, () => aShipment()),
  );
  const { id } = await createBatch(account, ids);
  must(await processBatch(account, id, { service: "canada_post.expedited_parcel" }), 202);
  expect(await untilProcessed(account, id, { timeout: 5000 })).toMatchObject({ success_count: 10 });
  expect((await showBatch(hanging.account, hanging.id)).status).toBe("processing");
  await setDials(world, {});
  await untilProcessed(hanging.account, hanging.id);
});

test("concurrently with single purchases each shipment gets one label, and both responses agree on it", async () => {
  await setDials(world, { "*": { latency_ms: 20 } });
  const { account, id, ids } = await aRun(100);
  await untilBegun({ account, id });
  // From its end, towards the batch that starts at its beginning.
  const byHand = await Promise.all(
    ids
      .slice(40)
      .reverse()
      .map((each) => account.buy(each, { service: "ups.standard" })),
  );
  const batch = await untilProcessed(account, id);
  const bought = byHand.filter(({ status }) => status === 201).length;
  expect(batch.success_count + bought).toBe(100);
  expect(bought).toBeGreaterThan(0);
  expect(batch.success_count).toBeGreaterThan(0);
  for (const reply of byHand.filter(({ status }) => status !== 201))
    expect(["409 already_labelled", "409 purchase_pending"]).toContain(outcomeOf(reply));
  const codes = [...(await errorsOf(account, id)).values()].map(({ code }) => code);
  expect(codes).toEqual(Array(bought).fill("already_labelled"));
});

test("a suspended account's batch pauses, and continues once it may", async () => {
  await setDials(world, { "*": { latency_ms: 30 } });
  const run = await aRun(120);
  await untilBegun(run);
  const suspend = async (suspended: boolean) =>
    must(await world.operator.patch(`/accounts/${run.account.account_id}`, { suspended }), 200);
  await suspend(true);
  const counts = () =>
    world.db
      .selectFrom("batch_items")
      .select(["status", (eb) => eb.fn.countAll<number>().as("count")])
      .where("batch_id", "=", run.id)
      .groupBy("status")
      .orderBy("status")
      .execute();
  // Work under way has ended, claimed items were released.
  const stopped = await vi.waitFor(
    async () => {
      const found = await counts();
      expect(found.map(({ status }) => status)).toEqual(["succeeded", "waiting"]);
      return found;
    },
    { timeout: 10_000, interval: 50 },
  );
  const other = await aRun(20);
  await untilProcessed(other.account, other.id);
  expect(await counts()).toEqual(stopped);
  await suspend(false);
  expect((await untilProcessed(run.account, run.id)).success_count).toBe(120);
});
