import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLabelled } from "../../src/domain/shipments/shipment-states.ts";
import type { DataOf, ListOf, Reply, Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { order, showOrder, type Order } from "../orders.ts";
import { aRandom, type Random } from "../random.ts";
import { aShipment, ottawa } from "../shipments.ts";
import {
  aPlatform,
  anAccount,
  must,
  throughProcess,
  type TestAccount,
  type World,
} from "../world.ts";

/**
 * Concurrent changes of orders and their shipments through two processes: there is no deadlock, and
 * the orders' status is right when all is at rest.
 */

let world: World;
let second: World;
beforeAll(async () => {
  world = await aPlatform();
  const { db, database_url: url, simulator_url } = world;
  const database = { db, url, close: async () => {} };
  second = await aPlatform({}, { database, simulator_url });
});
afterAll(async () => {
  await assertInvariants(world);
  expect(await countDeadlocks()).toBe(0);
  await second.close();
  await world.close();
});

/** A sequence of calls of one client; several clients run theirs concurrently. */
type Step = (account: TestAccount) => Promise<Reply<unknown>>;

function stepsOn(orders: Order[], shipments: Shipment[], { pick, below }: Random): Step[] {
  const kinds: (() => Step)[] = [
    () => {
      const { id } = pick(shipments);
      return (account) => account.buy(id);
    },
    () => {
      const { id } = pick(shipments);
      return (account) => account.post(`/shipments/${id}/void`);
    },
    () => {
      const [{ id }, to] = [pick(shipments), pick(orders)];
      const order_id = below(5) === 0 ? null : to.id;
      return (account) => account.put(`/shipments/${id}`, { order_id });
    },
    () => {
      const { id } = pick(shipments);
      return (account) => account.delete(`/shipments/${id}`);
    },
    () => {
      const { id } = pick(orders);
      return (account) => account.delete(`/orders/${id}`);
    },
    () => {
      const { id } = pick(orders);
      const status = pick(["on_hold", "unfulfilled", "cancelled", "unfulfilled"]);
      return (account) => account.put(`/orders/${id}`, { status });
    },
    () => {
      const { id } = pick(orders);
      const order_number = `R-${below(1e9)}`;
      return (account) => account.put(`/orders/${id}`, { order_number });
    },
    () => {
      const { id } = pick(orders);
      return (account) => account.post(`/orders/${id}/shipments`, {});
    },
    () => {
      const rows = [pick(orders), pick(orders), pick(orders)].map(({ id }) =>
        aShipment({ order_id: id }),
      );
      return (account) => account.post("/shipments", rows);
    },
  ];
  return Array.from({ length: 40 }, () => pick(kinds)());
}

/** A busy machine answers 503 now and then; deadlocks are counted apart. */
async function withRetries(send: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  for (let left = 5; ; left--) {
    const reply = await send();
    if (reply.status !== 503 || left === 0) return reply;
  }
}

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()`.execute(
    world.db,
  );
  return rows[0]!.deadlocks;
}

/** The expected status of each order, from the shipments' own list. */
async function assertTrue(account: TestAccount, orders: Order[]): Promise<number> {
  const listed = must(await account.get<ListOf<Shipment>>("/shipments?per_page=100"), 200);
  expect(listed.links.next).toBeNull();
  const left = must(await account.get<ListOf<Order>>("/orders?per_page=100"), 200).data;
  const known = new Set(left.map(({ id }) => id));
  for (const { order_id } of listed.data) if (order_id) expect(known).toContain(order_id);
  for (const { id } of orders.filter((each) => known.has(each.id))) {
    const now = await showOrder(account, id);
    const own = listed.data.filter(({ order_id }) => order_id === id);
    const expected = own.map((each) => ({ id: each.id, status: each.status }));
    expect(now.shipments).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    if (["on_hold", "cancelled"].includes(now.status)) continue;
    // Their orders have no lines, so that one label is all.
    const isShipped = own.some(({ status }) => isLabelled(status));
    expect(now.status).toBe(isShipped ? "fulfilled" : "unfulfilled");
    const numbers = await sql<{ order_number: string }>`
      SELECT DISTINCT order_number FROM shipments WHERE order_id = ${id}`.execute(world.db);
    expect(numbers.rows).toEqual(own.length > 0 ? [{ order_number: now.order_number }] : []);
  }
  return known.size;
}

test.each([1, 2, 3, 4])(
  "whatever is done concurrently, orders have the right status (%i)",
  async () => {
    const random = aRandom();
    const account = await anAccount(world, { balance_cents: 1_000_000 });
    const clients = [account, throughProcess(world, account, second)];
    const orders: Order[] = [];
    const shipments: Shipment[] = [];
    for (let place = 0; place < 4; place++) {
      const made = await order(account, { items: [], from_address: ottawa });
      orders.push(made);
      shipments.push(await account.create(aShipment({ order_id: made.id })));
      shipments.push(await account.create(aShipment({ order_id: made.id })));
    }
    const steps = stepsOn(orders, shipments, random);
    const replies = await Promise.all(
      steps.map((step, index) => withRetries(() => step(clients[index % clients.length]!))),
    );
    const failed = replies.filter(({ status }) => status >= 500);
    expect(
      failed.map(({ bytes }) => bytes.toString()),
      `seed ${random.seed}`,
    ).toEqual([]);
    expect(new Set(replies.map(({ status }) => status)).size).toBeGreaterThan(2);
    await assertTrue(account, orders);
  },
);

test("an order is either deleted or linked to, never both", async () => {
  const account = await anAccount(world);
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const { id } = await order(account, { items: [] });
    const link = account.post<DataOf<Shipment>>("/shipments", aShipment({ order_id: id }));
    const [linked, deleted] = await Promise.all([link, account.delete(`/orders/${id}`)]);
    outcomes.add(`${linked.status} ${deleted.status}`);
    const stays = await account.get(`/orders/${id}`);
    expect(stays.status).toBe(deleted.status === 204 ? 404 : 200);
    if (linked.status === 201) expect(deleted.status).toBe(409);
    else expect([linked.status, deleted.status]).toEqual([422, 204]);
  }
  for (const outcome of outcomes) expect(["201 409", "422 204"]).toContain(outcome);
});

test("twenty labels of one order are bought concurrently, and it is fulfilled once", async () => {
  const account = await anAccount(world, { balance_cents: 10_000_000 });
  const { id } = await order(account, { items: [] });
  const rows = Array.from({ length: 20 }, () => aShipment({ order_id: id, service: "cheapest" }));
  must(await account.post("/shipments", rows), 201);
  const { shipments } = await showOrder(account, id);
  await Promise.all(shipments.map((each) => account.bought(each.id)));
  expect((await showOrder(account, id)).status).toBe("fulfilled");
  const told = world.db
    .selectFrom("recorded_events")
    .select("id")
    .where("subject_id", "=", id)
    .where("type", "=", "order.fulfilled");
  expect(await told.execute()).toHaveLength(1);
});
