import { setImmediate as yieldOnce } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { countOutcomes, outcomeOf, type ListOf, type Pickup } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { aLabelled, cancel, schedule, scheduled, showPickup, steered } from "../pickups.ts";
import { aRandom } from "../random.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";
import { balanceLock, carrierCalls, untilBackendWaits, untilCalled } from "./moments.ts";

/** Concurrent requests for pickups, and pickups by unreliable carriers (issue 4). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_each, index) => make(index)));

async function drivers(account: TestAccount) {
  const own = (await account.get<ListOf<Pickup>>("/pickups?per_page=100")).body.data;
  const numbers = own.flatMap(({ carriers }) => carriers.map((each) => each.confirmation_number));
  const journal = await readJournal(world);
  const booked = journal.filter(
    ({ confirmation_number: number }) => number && numbers.includes(number),
  );
  const ids = booked.map(({ pickup_id }) => pickup_id);
  const calledOff = journal.filter(
    ({ operation, pickup_id }) => operation === "pickup_cancel" && ids.includes(pickup_id),
  );
  return { booked: booked.length, called_off: calledOff.length };
}

test("twenty concurrent pickups of one shipment: one driver", async () => {
  const account = await anAccount(world);
  const id = await aLabelled(account, "ups");
  const replies = await times(20, () => schedule(account, { shipment_ids: [id] }));
  expect(countOutcomes(replies)).toEqual({ "201": 1, "409 shipment_in_use": 19 });
  expect(await drivers(account)).toEqual({ booked: 1, called_off: 0 });
});

test("pickups that share a shipment, in whichever order they name it: one of each pair wins", async () => {
  const account = await anAccount(world);
  const ids = await times(3, () => aLabelled(account));
  const pairs = [
    [ids[0], ids[1]],
    [ids[1], ids[0]],
    [ids[2], ids[1]],
    [ids[1], ids[2]],
  ];
  const replies = await times(12, (index) =>
    schedule(account, { shipment_ids: pairs[index % pairs.length] }),
  );
  expect(countOutcomes(replies)).toEqual({ "201": 1, "409 shipment_in_use": 11 });
});

test("one key twenty times while the carrier takes its time: one driver, one response", async () => {
  const account = await anAccount(world);
  const body = { shipment_ids: [await aLabelled(account, "ups"), await aLabelled(account)] };
  await setDials(world, { "*": { latency_ms: 300, operations: ["pickups"] } });
  const replies = await times(20, () =>
    schedule(account, body, { "idempotency-key": "same-pickup" }),
  );
  await setDials(world, {});
  expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  expect(must(replies[0]!, 201).data.status).toBe("confirmed");
  expect(await drivers(account)).toEqual({ booked: 2, called_off: 0 });
});

test("of two carriers that respond concurrently one is last, and the pickup is confirmed", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account)];
  await setDials(world, {
    ups: { latency_ms: 1000, operations: ["pickups"] },
    purolator: { latency_ms: 2000, operations: ["pickups"] },
  });
  const since = await carrierCalls(world);
  const asked = schedule(account, { shipment_ids: ids });
  await untilCalled(world, { carrier: "ups", operation: "pickups", since });
  // UPS has its fee, and waits for the balance in the transaction that writes its response.
  const lock = balanceLock(world.database_url, account.account_id);
  await lock.take();
  await untilBackendWaits(world.db);
  const isOtherKnown = async () => {
    const { rows } = await sql`
      SELECT FROM pickup_parts
      WHERE account_id = ${account.account_id} AND carrier = 'purolator' AND status <> 'scheduled'
      UNION ALL SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.db);
    return rows.length > 1;
  };
  await expect.poll(isOtherKnown, { timeout: 10_000, interval: 20 }).toBe(true);
  await lock.release();
  await setDials(world, {});
  const { id } = must(await asked, 201).data;
  const status = async () => (await showPickup(account, id)).status;
  await expect.poll(status, { timeout: 15_000 }).toBe("confirmed");
});

test("twenty concurrent cancellations: each driver is cancelled once, and refunded once", async () => {
  const account = await anAccount(world);
  const ids = [await aLabelled(account, "ups"), await aLabelled(account)];
  const before = await account.balanceCents();
  const pickup = await scheduled(account, ...ids);
  const replies = await times(20, () => cancel(account, pickup.id));
  for (const outcome of Object.keys(countOutcomes(replies)))
    expect(["200", "409 purchase_pending"]).toContain(outcome);
  expect(must(await cancel(account, pickup.id), 200).data.status).toBe("cancelled");
  expect(await account.balanceCents()).toBe(before);
  expect(await drivers(account)).toEqual({ booked: 2, called_off: 2 });
});

const random = aRandom();

test(`cancelled, voided and scheduled anew concurrently (seed ${random.seed}): no driver comes in vain`, async () => {
  const account = await anAccount(world);
  await setDials(world, { "*": { latency_ms: 20, operations: ["pickups", "voids"] } });
  for (let round = 0; round < 8; round++) {
    const ids = [await aLabelled(account, "ups"), await aLabelled(account)];
    const pickup = await scheduled(account, ...ids);
    const acts = [
      () => cancel(account, pickup.id),
      () => account.post(`/shipments/${ids[0]}/void`),
      () => account.post(`/shipments/${ids[1]}/void`),
      () => schedule(account, { shipment_ids: ids }),
      () => schedule(account, { shipment_ids: [ids[1]] }),
    ];
    const replies = await Promise.all(
      acts
        .filter(() => random.below(4) > 0)
        .map(async (act) => {
          for (let turn = random.below(40); turn > 0; turn--) await yieldOnce();
          return act();
        }),
    );
    for (const outcome of Object.keys(countOutcomes(replies))) expect(outcome).not.toMatch(/^5/);
  }
  await setDials(world, {});
  await assertInvariants(world);
});

test("a driver whose last parcel is voided during a cancellation that fails is cancelled later", async () => {
  const account = await anAccount(world);
  const id = await aLabelled(account, "ups");
  const pickup = await scheduled(account, id);
  await setDials(world, {
    ups: { error_rate: 1, error_status: 429, operations: ["pickups"] },
  });
  expect(outcomeOf(await cancel(account, pickup.id))).toBe("502 carrier_error");
  must(await account.post(`/shipments/${id}/void`), 200);
  const part = () =>
    world.db
      .selectFrom("pickup_parts")
      .select(["status", "cancel_at", "error"])
      .where("pickup_id", "=", pickup.id)
      .executeTakeFirstOrThrow();
  await vi.waitFor(
    async () => expect((await part()).cancel_at!.getTime()).toBeGreaterThan(Date.now() + 1_800_000),
    { timeout: 10_000, interval: 50 },
  );
  expect(await part()).toMatchObject({ status: "confirmed", error: { code: "carrier_error" } });
  await setDials(world, {});
  await world.db
    .updateTable("pickup_parts")
    .set({ cancel_at: new Date() })
    .where("pickup_id", "=", pickup.id)
    .execute();
  await vi.waitFor(
    async () => expect((await showPickup(account, pickup.id)).status).toBe("cancelled"),
    { timeout: 10_000, interval: 50 },
  );
});

/** Canada Post charges more than it publishes, and UPS finds nothing by reference. */
function untrusted(carrier: Carrier): Carrier {
  const { descriptor, pickups } = carrier;
  if (descriptor.code === "ups") {
    const facts = { ...descriptor.pickups!, lookUp: { by: "none" } as const };
    return { ...carrier, descriptor: { ...descriptor, pickups: facts } };
  }
  if (descriptor.code !== "canada_post") return carrier;
  const { schedule: book, lookUp } = pickups!;
  const fee = { amount_cents: 99_00, currency: "CAD" };
  return {
    ...carrier,
    pickups: {
      ...pickups!,
      schedule: async (request, signal) => ({ ...(await book(request, signal)), fee }),
      async lookUp(sent, signal) {
        const found = await lookUp(sent, signal);
        return found && { ...found, fee };
      },
    },
  };
}

describe("of unreliable carriers", () => {
  let doubtful: World;
  beforeAll(async () => {
    doubtful = await aPlatform(
      {},
      {
        carriers: (simulator_url) =>
          carrierRegister(createCarriers({ simulator_url }).all.map(untrusted)),
      },
    );
  });
  afterAll(() => doubtful.close());

  test("a driver who turns out more expensive than published is cancelled, and nothing is paid", async () => {
    const account = await anAccount(doubtful);
    const id = await aLabelled(account, "canada_post");
    const before = await account.balance();
    const refused = await schedule(account, { shipment_ids: [id] });
    expect(outcomeOf(refused)).toBe("502 carrier_error");
    expect(refused.body).toMatchObject({ error: { details: { carrier_code: "price_changed" } } });
    expect(await account.balance()).toMatchObject({ balance: before.balance, held: 0 });
    await assertInvariants(doubtful);
  });

  test("an outcome that no lookup can determine is the operator's to decide: the driver comes, or does not", async () => {
    const account = await anAccount(doubtful);
    const book = async () => {
      const body = {
        shipment_ids: [await aLabelled(account, "ups")],
        address: steered("sim:lost_answer"),
      };
      const pickup = must(await schedule(account, body), 201).data;
      return { pickup, review: await untilUnderReview(doubtful, pickup.id) };
    };
    const [comes, never] = await Promise.all([book(), book()]);
    expect(comes.review).toMatchObject({ kind: "pickup", carrier: "ups", held: 8.48 });
    expect(comes.review.advice).toContain(comes.pickup.id);
    const journal = await readJournal(doubtful);
    const sold = journal.find(({ reference }) => reference === comes.review.reference)!;
    const { pickup_id: carrier_pickup_id, confirmation_number } = sold;
    const pickup = { carrier_pickup_id, confirmation_number };
    must(await decide(doubtful, comes.review, { decision: "stands", pickup }), 200);
    must(await decide(doubtful, never.review, { decision: "void", note: "Nobody comes." }), 200);
    expect(await showPickup(account, comes.pickup.id)).toMatchObject({
      status: "confirmed",
      carriers: [{ confirmation_number, fee: 7.5 }],
    });
    expect(await showPickup(account, never.pickup.id)).toMatchObject({
      status: "failed",
      cost: { total: 0 },
    });
    expect(await account.balance()).toMatchObject({ held: 0 });
  });
});
