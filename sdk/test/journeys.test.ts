import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { assertInvariants } from "../../server/test/invariants.ts";
import { anOrder } from "../../server/test/orders.ts";
import { aPlatform, type World } from "../../server/test/world.ts";
import {
  createWaybill,
  InsufficientCredits,
  PurchasePending,
  type NewOrder,
} from "../src/index.ts";
import { aCuttingProxy } from "./fakes.ts";
import { aClientOf, anEntry, aSteeredEntry } from "./sandbox.ts";

/** What clients do most, by the SDK on a complete platform. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
// The log of the server's own test client does not have the calls of the SDK.
afterEach(() => assertInvariants({ ...world, client_log: undefined }));
afterAll(() => world?.close());

test("rates → label → void", async () => {
  const { waybill } = await aClientOf(world);
  const { data: shipment } = await waybill.shipments.create(anEntry());
  const { data: rates } = await waybill.rates.forShipment(shipment.id);
  const bought = await waybill.labels.buy(shipment.id, { rate_id: rates[0]!.id });
  expect(bought.data.shipment_id).toBe(shipment.id);
  expect(bought.isReplay).toBe(false);
  expect((await waybill.labels.get(shipment.id)).data.tracking_code).toBe(
    bought.data.tracking_code,
  );
  const { data: voided } = await waybill.shipments.void(shipment.id);
  expect(["void_pending", "voided"]).toContain(voided.status);
});

test("a price of an address buys in one call, and too little credit says what is missing", async () => {
  const { waybill } = await aClientOf(world, {}, { balance_cents: 5000 });
  const entry = anEntry();
  const { data: rates } = await waybill.rates.get(entry);
  const call = { ...entry, service: rates[0]!.service };
  const { data: label } = await waybill.labels.createAndBuy(call);
  expect(label.tracking_code).not.toBe("");
  const error = await spend(() => waybill.labels.createAndBuy(call));
  expect(error).toBeInstanceOf(InsufficientCredits);
  const { required, available } = error as InsufficientCredits;
  expect(required).toBeGreaterThan(available);
});

/** Calls until a call fails, and returns its error. */
async function spend(call: () => PromiseLike<unknown>): Promise<unknown> {
  for (;;)
    try {
      await call();
    } catch (error) {
      return error;
    }
}

test("a connection that is cut after the server has committed buys one label, under one key", async () => {
  const proxy = await aCuttingProxy(world.url, 2);
  try {
    const { account, waybill } = await aClientOf(world, { baseUrl: proxy.url });
    const { id } = await account.create(anEntry() as never);
    const before = await account.balanceCents();
    const bought = await waybill.labels.buy(id, { service: "cheapest" });
    expect(bought.isReplay).toBe(true);
    expect(proxy.keys).toHaveLength(3);
    expect(new Set(proxy.keys).size).toBe(1);
    const { data: transactions } = await waybill.credits.transactions().page();
    expect(transactions.filter(({ shipment_id }) => shipment_id === id)).toHaveLength(1);
    expect(before - (await account.balanceCents())).toBe(Math.round(bought.data.cost!.total * 100));
  } finally {
    await proxy.close();
  }
});

test("a purchase whose answer is lost settles under the same key, and is an error without `settle`", async () => {
  const keys = new Set<string>();
  const spy: typeof fetch = (input, init) => {
    const key = new Headers(init?.headers).get("idempotency-key");
    if (key && (input as string).includes("/labels/")) keys.add(key);
    return fetch(input, init);
  };
  const { account, waybill } = await aClientOf(world, { fetch: spy });
  const [kept, left] = [
    await waybill.shipments.create(aSteeredEntry("sim:lost_answer")),
    await waybill.shipments.create(aSteeredEntry("sim:lost_answer")),
  ];
  const body = { service: "cheapest" };
  const { data } = await waybill.labels.buy(kept.data.id, body, { settle: true });
  expect(data.tracking_code).toMatch(/./);
  expect(keys.size).toBe(1);
  const error = await waybill.labels.buy(left.data.id, body).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(PurchasePending);
  const { idempotencyKey } = error as PurchasePending;
  const options = { settle: true, idempotencyKey: idempotencyKey! };
  expect((await waybill.labels.buy(left.data.id, body, options)).isReplay).toBe(true);
  expect((await account.show(left.data.id)).status).toBe("purchased");
});

test("a batch is processed and waited for, with its progress", async () => {
  const { waybill } = await aClientOf(world);
  const entries = [anEntry(), anEntry(), aSteeredEntry("sim:refuse")];
  const { data: rows } = await waybill.shipments.createMany(entries);
  const shipment_ids = rows.flatMap((row) => (row.status === "created" ? [row.data.id] : []));
  const { data: batch } = await waybill.batches.create({ name: "Morning", shipment_ids });
  const seen: string[] = [];
  const { data: done } = await waybill.batches.processAndWait(batch.id, {
    body: { service: "cheapest" },
    onProgress: ({ status }) => void seen.push(status),
  });
  expect(done).toMatchObject({ status: "completed_with_errors", processed_count: 3 });
  expect(seen.at(-1)).toBe("completed_with_errors");
  expect(await waybill.batches.errors(batch.id).toArray()).toHaveLength(1);
});

test("an order becomes a shipment, and its state follows", async () => {
  const { waybill } = await aClientOf(world);
  const { data: order } = await waybill.orders.create(anOrder() as unknown as NewOrder);
  const { from_address } = anEntry();
  const { data: shipment } = await waybill.orders.createShipment(order.id, { from_address });
  await waybill.labels.buy(shipment.id, { service: "cheapest" });
  expect((await waybill.orders.get(order.id)).data.status).toBe("fulfilled");
  const kinds = (await waybill.events.list({ types: ["order.*"], wait: 10 })).data.map(
    ({ type }) => type,
  );
  expect(kinds).toContain("order.created");
});

test("events come as they happen, and the loop can be left", async () => {
  const { waybill } = await aClientOf(world);
  const { data: shipment } = await waybill.shipments.create(anEntry());
  const types: string[] = [];
  for await (const event of waybill.events.stream({ after: "0" })) {
    types.push(event.type);
    if (event.subject_id === shipment.id) break;
  }
  expect(types.at(-1)).toBe("shipment.created");
});

test("a token of one environment is refused at the other", async () => {
  const { account } = await aClientOf(world);
  const token = account.token.replace("wb_test_", "wb_live_");
  const waybill = createWaybill({ token, baseUrl: world.url });
  await expect(waybill.credits.balance()).rejects.toMatchObject({ name: "Unauthenticated" });
});
