import { afterAll, beforeAll, expect, test } from "vitest";
import { processBatch, untilProcessed } from "../batches.ts";
import type { DataOf, ListOf, Purchase, Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * A record has its keys in one order, whichever call returns it: responses and documents can be compared
 * as text.
 */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

/** The names of a value's keys at every depth, in their order. */
function keyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keyOrder);
  if (typeof value !== "object" || value === null) return null;
  return Object.entries(value).map(([name, inner]) => [name, keyOrder(inner)]);
}

const read = async (path: string) => must(await account.get<DataOf<object>>(path), 200).data;
const post = async (path: string, body: object) =>
  must(await account.post<DataOf<{ id: string }>>(path, body), 201).data;
const put = async (path: string, body: object) =>
  must(await account.put<DataOf<object>>(path, body), 200).data;

// Neither alphabetical, nor by length, nor in the order of the schema.
const metadata = { zone: 1, a: true, warehouse: "Dorval", bin: 2 };
const items = [
  { currency: "CAD", value: 12, quantity: 2, title: "Mug", sku: "MUG", country_of_origin: "CA" },
];

test("a parcel's keys are in one order in the responses of POST, PUT, GET and the list", async () => {
  const { to_address, ...others } = aShipment({ reference: "one" });
  const entry = { metadata, items, ...others, to_address };
  const created = await post("/shipments", entry);
  const order = keyOrder(created);
  const path = `/shipments/${created.id}`;
  expect(keyOrder(await read(path))).toEqual(order);
  expect(keyOrder(await put(path, { reference: "two" }))).toEqual(order);
  const list = must(await account.get<ListOf<Shipment>>("/shipments?reference=two"), 200);
  expect(keyOrder(list.data)).toEqual([order]);
  const rows = must(await account.post<{ data: DataOf<Shipment>[] }>("/shipments", [entry]), 201);
  expect(keyOrder(rows.data[0]!.data)).toEqual(order);
});

test("freight's keys are in one order, too", async () => {
  const created = await account.create(aFreight());
  const path = `/shipments/${created.id}`;
  expect(keyOrder(await read(path))).toEqual(keyOrder(created));
  await account.bought(created.id);
  const [one] = must(await account.get<ListOf<Shipment>>("/shipments?type=ltl"), 200).data;
  expect(keyOrder(await read(path))).toEqual(keyOrder(one));
});

test("a label's keys are in one order as it is bought and as it is read", async () => {
  const { id } = await account.create(aShipment());
  const bought = await account.bought(id, { service: "cheapest", add_ons: ["protection"] });
  expect(keyOrder(await read(`/labels/${id}`))).toEqual(keyOrder(bought));
  const at_once = { ...aShipment(), service: "cheapest" };
  const one = must(await account.post<DataOf<Purchase>>("/labels", at_once), 201).data;
  expect(keyOrder(await read(`/labels/${one.shipment_id}`))).toEqual(keyOrder(one));
  const voided = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200).data;
  expect(keyOrder(await read(`/shipments/${id}`))).toEqual(keyOrder(voided));
});

test("an order's keys are in one order in the responses of POST, PUT, GET and the list", async () => {
  const { to_address, packages } = aShipment();
  const totals = { currency: "CAD", total: 20, tax: 1 };
  const customer = { phone: "1", name: "Ada" };
  const created = await post("/orders", {
    metadata,
    packages,
    items,
    totals,
    customer,
    to_address,
    order_number: "K-1",
  });
  const order = keyOrder(created);
  const path = `/orders/${created.id}`;
  expect(keyOrder(await read(path))).toEqual(order);
  expect(keyOrder(await put(path, { notes: "Ring twice." }))).toEqual(order);
  const list = must(await account.get<ListOf<object>>("/orders"), 200);
  expect(keyOrder(list.data)).toEqual([order]);
});

test("a batch's keys are in one order as it is made, processed and read", async () => {
  const { id } = await account.create(aShipment());
  const created = await post("/batches", { shipment_ids: [id], name: "Keys" });
  const path = `/batches/${created.id}`;
  const order = keyOrder(created);
  expect(keyOrder(await read(path))).toEqual(order);
  const begun = must(await processBatch(account, created.id, { service: "cheapest" }), 202);
  expect(keyOrder(begun.data)).toEqual(order);
  await untilProcessed(account, created.id);
  expect(keyOrder(await read(path))).toEqual(order);
});
