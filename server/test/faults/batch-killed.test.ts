import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toCents } from "../../src/domain/values/money.ts";
import { adjust } from "../adjust.ts";
import {
  createBatch,
  createMany,
  errorsOf,
  processBatch,
  showBatch,
  untilProcessed,
  type Batch,
} from "../batches.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, aSteeredShipment, parcel, type ShipmentEntry } from "../shipments.ts";
import { anAccount, must, setDials, type TestAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Five hundred shipments of every sort, two workers that share them, and `kill -9` for each on the
 * way: every shipment ends once, as its sort ends, the money is exact to the cent, and no poll saw a
 * count fall. The lease is two seconds, to be quick.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform(
    { WAYBILL_LEASE_SECONDS: "2" },
    { roles: ["api", "worker", "worker"] },
  );
});
afterAll(() => world.close());

const heavy = Array.from({ length: 40 }, () => ({ ...parcel, weight: 29 }));

interface Sort {
  count: number;
  entry: ShipmentEntry;
  /** Code, stage, carrier and whether a retry may help; null for those that succeed. */
  error: [string, string, string | null, boolean] | null;
}

const sorts = {
  by_service: { count: 180, entry: aShipment({ service: "ups.standard" }), error: null },
  cheapest: { count: 60, entry: aShipment({ service: "cheapest" }), error: null },
  fastest: { count: 20, entry: aShipment({ service: "fastest" }), error: null },
  answer_lost: {
    count: 40,
    entry: aSteeredShipment("sim:lost_answer", { service: "fedex.ground" }),
    error: null,
  },
  refused: {
    count: 30,
    entry: aSteeredShipment("sim:refuse", { service: "purolator.ground" }),
    error: ["carrier_error", "purchase", "purolator", false],
  },
  no_lane: {
    count: 20,
    entry: aSteeredShipment("sim:no_lane=ups", { service: "ups.standard" }),
    error: ["unserviceable", "rating", "ups", false],
  },
  no_service: {
    count: 25,
    entry: aShipment(),
    error: ["validation_failed", "validation", null, false],
  },
  bad_postal_code: {
    count: 25,
    entry: aShipment({ service: "ups.standard", reference: "bad" }),
    error: ["validation_failed", "validation", null, false],
  },
  // Each costs more than all the others together.
  too_dear: {
    count: 100,
    entry: aShipment({ service: "ups.express_early", packages: heavy }),
    error: ["insufficient_credits", "purchase", "ups", true],
  },
} satisfies Record<string, Sort>;
type SortName = keyof typeof sorts;
const names = Object.keys(sorts) as SortName[];

test("500 mixed shipments, each worker killed once: every one ends once, and the money is exact", async () => {
  const { account, prices, affordable } = await anAccountFor();
  const sortOf = await createAll(account);
  const ids = [...sortOf.keys()];
  expect(ids).toHaveLength(500);

  // Slow enough that something is left for the restarted workers.
  await setDials(world, { "*": { latency_ms: 400 } });
  const { id } = await createBatch(account, ids);
  must(await processBatch(account, id, {}), 202);
  const seen: Batch[] = [];
  const done = untilProcessed(account, id, { seen, timeout: 60_000 });
  const [, first, second] = world.processes;
  await untilBought(account, id, 40);
  await first!.kill();
  await untilBought(account, id, 100);
  await first!.start();
  await second!.kill();
  await second!.start();

  const batch = await done;
  const succeeding = names.filter((name) => !sorts[name].error);
  const success_count = succeeding.reduce((sum, name) => sum + sorts[name].count, 0);
  expect(batch).toMatchObject({
    status: "completed_with_errors",
    processed_count: 500,
    success_count,
    error_count: 500 - success_count,
  });
  expect(toCents(batch.total_cost)).toBe(affordable);
  await assertInvariants(world);
  expect(await account.balance()).toMatchObject({ held: 0 });
  expect(await account.balanceCents()).toBe(prices.opening - affordable);

  const errors = await errorsOf(account, id);
  const ends = ids.map((each) => {
    const error = errors.get(each);
    const told = error ? [error.code, error.stage, error.carrier, error.retryable] : null;
    return { sort: sortOf.get(each)!, told: told as Sort["error"] };
  });
  expect(ends.filter(({ sort, told }) => String(told) !== String(sorts[sort].error))).toEqual([]);
  const bad = errors.get(ids.find((each) => sortOf.get(each) === "bad_postal_code")!)!;
  expect(bad.reference).toBe("bad");
  expect(Object.keys(bad.details)).toEqual(["to_address.postal_code"]);
  expectOnlyGrowth(seen);
  expect(await countHolders()).toBeGreaterThan(2);
  await expectOneEnd(id);
});

/**
 * The price of each sort that succeeds, and enough for all of them while the refused ones have their
 * holds.
 */
async function anAccountFor() {
  const account = await anAccount(world, { balance_cents: 1 });
  const { id } = await account.create(aShipment());
  const { data: rates } = await account.rates(id);
  const priceOf = (service: string) =>
    toCents(rates.find((rate) => rate.service === service)!.total);
  const fastest = [...rates].sort(
    (a, b) => a.estimated_delivery_days! - b.estimated_delivery_days! || a.total - b.total,
  )[0]!;
  const affordable =
    sorts.by_service.count * priceOf("ups.standard") +
    sorts.cheapest.count * toCents(rates[0]!.total) +
    sorts.fastest.count * toCents(fastest.total) +
    sorts.answer_lost.count * priceOf("fedex.ground");
  const opening = affordable + sorts.refused.count * priceOf("purolator.ground");
  must(await adjust(world, account.account_id, { amount: (opening - 1) / 100 }), 201);
  return { account, affordable, prices: { opening } };
}

/** All sorts but the last mixed, as in a warehouse. */
async function createAll(account: TestAccount): Promise<Map<string, SortName>> {
  const mixed = names
    .filter((name) => name !== "too_dear")
    .flatMap((name) =>
      Array.from({ length: sorts[name].count }, (_each, place) => ({
        name,
        at: place / sorts[name].count,
      })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
  const order = [...mixed, ...Array<SortName>(sorts.too_dear.count).fill("too_dear")];
  const ids = await createMany(
    account,
    order.map((name) => sorts[name].entry),
  );
  await sql`
    UPDATE shipments SET to_address = jsonb_set(to_address, '{postal_code}', '"Z9Z 9Z9"')
    WHERE account_id = ${account.account_id} AND reference = 'bad'`.execute(world.db);
  return new Map(ids.map((id, place) => [id, order[place]!]));
}

async function untilBought(account: TestAccount, id: string, count: number): Promise<void> {
  await vi.waitFor(
    async () => expect((await showBatch(account, id)).success_count).toBeGreaterThan(count),
    { timeout: 30_000, interval: 10 },
  );
}

function expectOnlyGrowth(seen: readonly Batch[]): void {
  expect(seen.length).toBeGreaterThan(20);
  for (const count of ["processed_count", "success_count", "error_count", "total_cost"] as const) {
    const counts = seen.map((batch) => batch[count]);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  }
}

async function countHolders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT holder_id)::int AS count FROM attempts WHERE kind = 'label_purchase'`.execute(
    world.db,
  );
  return rows[0]!.count;
}

async function expectOneEnd(id: string): Promise<void> {
  const events = await world.db
    .selectFrom("recorded_events")
    .select("id")
    .where("subject_id", "=", id)
    .where("type", "=", "batch.completed")
    .execute();
  expect(events).toHaveLength(1);
}
