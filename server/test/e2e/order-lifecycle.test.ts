import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { problemsOf } from "../../src/domain/validation/validation.ts";
import { ShipmentOverrides } from "../../src/resources/orders/ship-order.ts";
import { outcomeOf, type DataOf, type Failure, type Shipment } from "../client.ts";
import { besides, fakeFreight } from "../fake-freight.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { anOrder, bowl, cups, order, shipped, showOrder, type Order } from "../orders.ts";
import { aShipment, halifax, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** From an order to its parcels and back (decision 14): its status follows them. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

async function aShop(at = world): Promise<TestAccount> {
  const account = await anAccount(at);
  const path = `/accounts/${account.account_id}`;
  must(await at.operator.patch(path, { default_from_address: ottawa }), 200);
  return account;
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await world.db
    .selectFrom("recorded_events")
    .select("type")
    .where("subject_id", "=", id)
    .orderBy("id")
    .execute();
  return rows.map(({ type }) => type);
}

const voided = async (account: TestAccount, id: string) =>
  must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200).data;

test("an imported order is shipped, fulfilled, voided, open again and deletable", async () => {
  const account = await aShop();
  const { id, status, shipments } = await order(account, { order_number: "#1001", source: "csv" });
  expect([status, shipments]).toEqual(["unfulfilled", []]);
  const shipment = await shipped(account, id);
  expect(shipment).toMatchObject({
    status: "draft",
    order_id: id,
    reference: "#1001",
    service: null,
    to_address: { name: halifax.name, city: "Halifax" },
    from_address: { name: ottawa.name },
    items: [
      { sku: "CUP", quantity: 2, value: 12 },
      { sku: "BOWL", quantity: 1, value: 30 },
    ],
    packages: [{ weight: parcel.weight }],
  });
  expect(await showOrder(account, id)).toMatchObject({
    status: "unfulfilled",
    shipments: [{ id: shipment.id, status: "draft" }],
  });
  const inUse = must(await account.delete<Failure>(`/orders/${id}`), 409).error;
  expect(inUse).toMatchObject({
    code: "order_in_use",
    details: { status: "unfulfilled", shipments: [{ id: shipment.id, status: "draft" }] },
  });
  await account.bought(shipment.id);
  const fulfilled = await showOrder(account, id);
  expect(fulfilled.status).toBe("fulfilled");
  expect(fulfilled.items.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([2, 1]);
  expect(outcomeOf(await account.delete(`/orders/${id}`))).toBe("409 order_in_use");
  await voided(account, shipment.id);
  const open = await showOrder(account, id);
  expect(open.status).toBe("unfulfilled");
  expect(open.items.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([0, 0]);
  expect(await eventsOf(id)).toEqual(["order.created", "order.fulfilled"]);
  expect((await account.delete(`/orders/${id}`)).status).toBe(204);
  expect(outcomeOf(await account.get(`/orders/${id}`))).toBe("404 not_found");
  // A voided shipment stays, and is no order's any more.
  expect(await account.show(shipment.id)).toMatchObject({ status: "voided", order_id: null });
});

describe("the status of an order", () => {
  test("counts line by line what is shipped, and reports each fulfilment once", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const first = await shipped(account, id, { items: [{ ...cups, quantity: 1 }] });
    await account.bought(first.id);
    const part = await showOrder(account, id);
    expect(part.status).toBe("partially_fulfilled");
    expect(part.items.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([1, 0]);
    // The next shipment takes what is left.
    const second = await shipped(account, id);
    expect(second.items.map(({ sku, quantity }) => [sku, quantity])).toEqual([
      ["CUP", 1],
      ["BOWL", 1],
    ]);
    await account.bought(second.id);
    expect((await showOrder(account, id)).status).toBe("fulfilled");
    await voided(account, first.id);
    expect((await showOrder(account, id)).status).toBe("partially_fulfilled");
    const third = await shipped(account, id);
    expect(third.items.map(({ sku, quantity }) => [sku, quantity])).toEqual([["CUP", 1]]);
    await account.bought(third.id);
    expect(await eventsOf(id)).toEqual(["order.created", "order.fulfilled", "order.fulfilled"]);
  });

  test("is fulfilled by a linked shipment without items, but not by a return", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const back = await account.create(aShipment({ order_id: id, is_return: true }));
    await account.bought(back.id);
    expect((await showOrder(account, id)).status).toBe("unfulfilled");
    const whole = await account.create(aShipment({ order_id: id }));
    await account.bought(whole.id);
    expect((await showOrder(account, id)).status).toBe("fulfilled");
  });

  test("stays as the merchant set it, and follows its shipments once it is open", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const { id: shipment_id } = await shipped(account, id);
    const put = (status: string) => account.put<DataOf<Order>>(`/orders/${id}`, { status });
    expect(must(await put("on_hold"), 200).data.status).toBe("on_hold");
    const refused = must(await account.post<Failure>(`/orders/${id}/shipments`, {}), 409).error;
    expect(refused).toMatchObject({ code: "conflict", details: { status: "on_hold" } });
    await account.bought(shipment_id);
    expect((await showOrder(account, id)).status).toBe("on_hold");
    expect(must(await put("cancelled"), 200).data.status).toBe("cancelled");
    expect(outcomeOf(await account.post(`/orders/${id}/shipments`))).toBe("409 conflict");
    expect(await eventsOf(id)).toEqual(["order.created"]);
    expect(must(await put("unfulfilled"), 200).data.status).toBe("fulfilled");
    expect(await eventsOf(id)).toEqual(["order.created", "order.fulfilled"]);
    for (const status of ["on_hold", "cancelled"]) {
      const forbidden = must(await put(status), 409) as unknown as Failure;
      expect(forbidden.error).toMatchObject({ code: "conflict", details: { status: "fulfilled" } });
    }
    // Its present status is no change; a status that only shipments decide cannot be set.
    expect(must(await put("fulfilled"), 200).data.status).toBe("fulfilled");
    expect(outcomeOf(await put("partially_fulfilled"))).toBe("422 validation_failed");
  });

  test("follows a label that is live again because it was used after its void", async () => {
    const account = await aShop();
    const { id } = await order(account, { to_address: { ...halifax, address2: "sim:used_label" } });
    const { id: shipment_id } = await shipped(account, id);
    await account.bought(shipment_id);
    await voided(account, shipment_id);
    const status = async () => (await showOrder(account, id)).status;
    await expect.poll(status, { timeout: 10_000 }).toBe("fulfilled");
    expect((await account.show(shipment_id)).refund?.status).toBe("rejected");
  });

  test("follows a shipment that changes its order", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const { id: other } = await order(account);
    const { id: shipment_id } = await shipped(account, id);
    await account.bought(shipment_id);
    const link = (order_id: string | null) =>
      account.put<DataOf<Shipment>>(`/shipments/${shipment_id}`, { order_id });
    expect(must(await link(other), 200).data.order_id).toBe(other);
    expect((await showOrder(account, id)).status).toBe("unfulfilled");
    expect((await showOrder(account, other)).status).toBe("fulfilled");
    expect((await account.delete(`/orders/${id}`)).status).toBe(204);
    expect(must(await link(null), 200).data.order_id).toBeNull();
    expect(await showOrder(account, other)).toMatchObject({ status: "unfulfilled", shipments: [] });
  });

  test("follows a change of its lines", async () => {
    const account = await aShop();
    const { id } = await order(account, { items: [cups] });
    await account.bought((await shipped(account, id)).id);
    const put = (items: object[]) => account.put<DataOf<Order>>(`/orders/${id}`, { items });
    expect(must(await put([cups, bowl]), 200).data.status).toBe("partially_fulfilled");
    expect(must(await put([{ ...cups, quantity: 1 }]), 200).data.status).toBe("fulfilled");
  });
});

test("an order is shipped as freight, and is open again when its booking is cancelled", async () => {
  // Its bookings are in no journal, so it has a world of its own.
  const docks = await aPlatform({}, { carriers: besides(fakeFreight()) });
  onTestFinished(() => docks.close());
  const account = await aShop(docks);
  const service = "canada_post.regular_parcel";
  const { id } = await order(account, { to_address: ottawa, requested_service: service });
  const { type, handling_units, pickup, from_address } = aFreight();
  const freight = await shipped(account, id, { type, handling_units, pickup, from_address });
  // A parcel service is not valid for freight, and units replace the parcels.
  expect(freight).toMatchObject({ type: "ltl", service: null, packages: [], order_id: id });
  await account.bought(freight.id);
  expect((await showOrder(account, id)).status).toBe("fulfilled");
  must(await account.post(`/ltl/${freight.id}/cancel`), 200);
  expect(await showOrder(account, id)).toMatchObject({
    status: "unfulfilled",
    shipments: [{ id: freight.id, status: "cancelled" }],
  });
  expect((await account.delete(`/orders/${id}`)).status).toBe(204);
});

describe("a shipment made from an order", () => {
  test("takes the body's fields in place of the order's own", async () => {
    const account = await aShop();
    const { id } = await order(account, { requested_service: "fastest", from_address: halifax });
    const own = await shipped(account, id);
    expect(own).toMatchObject({ service: "fastest", from_address: { city: "Halifax" } });
    const changed = await shipped(account, id, {
      packages: [{ weight: 2, weight_unit: "kg" }],
      service: "cheapest",
      reference: "box 2",
      items: [],
      tags: ["second"],
      from_address: null,
      order_id: "ord_01k6x3v2m4f8r9t0a1b2c3d4e5",
    });
    expect(changed).toMatchObject({
      packages: [{ weight: 2, length: null }],
      service: "cheapest",
      reference: "box 2",
      items: [],
      tags: ["second"],
      from_address: { city: "Halifax" },
      order_id: id,
    });
  });

  test("has no service where the shop's text matches none", async () => {
    const account = await aShop();
    const { id } = await order(account, { requested_service: "Express (1–2 days)" });
    expect((await shipped(account, id)).service).toBeNull();
  });

  test("is refused, with every failing field, when something is missing", async () => {
    const account = await aShop();
    const { packages: _none, ...bare } = anOrder();
    const { id } = must(await account.post<DataOf<Order>>("/orders", bare), 201).data;
    const path = `/orders/${id}/shipments`;
    const missing = must(await account.post<Failure>(path), 422).error;
    expect(Object.keys(missing.details)).toEqual(["packages"]);
    const wrong = must(await account.post<Failure>(path, { service: "carrier.pigeon" }), 422).error;
    expect(Object.keys(wrong.details).toSorted()).toEqual(["packages", "service"]);
    expect((await showOrder(account, id)).shipments).toEqual([]);
    expect(outcomeOf(await account.post("/orders/ord_nobody/shipments"))).toBe("404 not_found");
  });

  test("is refused for every field of the body that its schema forbids, and for no other", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const refused = async (body: object) => {
      const reply = await account.post<Failure>(`/orders/${id}/shipments`, body);
      return Object.keys(must(reply, 422).error.details).toSorted();
    };
    expect(await refused({ handling_units: [] })).toEqual(["handling_units"]);
    expect(await refused({ handling_units: 5 })).toEqual(["handling_units"]);
    expect(await refused({ handling_units: 5, type: "ltl" })).toContain("handling_units");
    const mixed = { order_id: 5, pickup: [], to_address: null, packages: null };
    expect(await refused(mixed)).toEqual(["order_id", "pickup"]);
    const to_address = { ...halifax, postal_code: "X" };
    expect(await refused({ order_id: 5, service: "carrier.pigeon", to_address })).toEqual([
      "order_id",
      "service",
      "to_address.postal_code",
    ]);
    expect((await showOrder(account, id)).shipments).toEqual([]);
    must(await account.put(`/orders/${id}`, { status: "on_hold" }), 200);
    expect(await refused({ order_id: 5 })).toEqual(["order_id"]);
  });

  test("takes null for a field that is not given, as its schema says", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const nothing = Object.keys(ShipmentOverrides.properties).map((field) => [field, null]);
    expect(problemsOf(ShipmentOverrides, Object.fromEntries(nothing))).toEqual({});
    const made = await shipped(account, id, Object.fromEntries(nothing) as object);
    expect(made).toMatchObject({ type: "courier", order_id: id, packages: [{ weight: 1.4 }] });
  });

  test("is made once however often its key is sent", async () => {
    const account = await aShop();
    const { id } = await order(account);
    const headers = { "idempotency-key": "ship-once" };
    const send = () => account.post(`/orders/${id}/shipments`, {}, headers);
    const replies = await Promise.all([send(), send(), send()]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await showOrder(account, id)).shipments).toHaveLength(1);
  });
});

describe("a shipment that is linked as it is created", () => {
  test("takes nothing over, and must name an order of the account", async () => {
    const [account, other] = [await aShop(), await aShop()];
    const { id } = await order(account);
    const { id: foreign } = await order(other);
    const plain = await account.create(aShipment({ order_id: id }));
    expect(plain).toMatchObject({ order_id: id, reference: null, items: [] });
    for (const order_id of [foreign, "ord_01k6x3v2m4f8r9t0a1b2c3d4e5", "nothing", ""]) {
      const entry = { ...aShipment(), order_id };
      const sentence = ["order_id is no order of this account."];
      const refused = must(await account.post<Failure>("/shipments", entry), 422).error;
      expect(refused.details).toEqual({ order_id: sentence });
      const both = { ...entry, packages: [] };
      const twice = must(await account.post<Failure>("/shipments", both), 422).error;
      expect(Object.keys(twice.details).toSorted()).toEqual(["order_id", "packages"]);
      const changed = await account.put<Failure>(`/shipments/${plain.id}`, { order_id });
      expect(must(changed, 422).error.details).toEqual({ order_id: sentence });
      const bought = await account.post<Failure>("/labels", { ...entry, service: "cheapest" });
      expect(must(bought, 422).error.details).toEqual({ order_id: sentence });
    }
    const rows = [
      { ...aShipment(), order_id: foreign },
      { ...aShipment(), order_id: id },
    ];
    const bulk = must(await account.post<{ data: { status: string }[] }>("/shipments", rows), 201);
    expect(bulk.data.map(({ status }) => status)).toEqual(["error", "created"]);
    expect((await showOrder(account, id)).shipments).toHaveLength(2);
  });

  test("is found by its order's id and by the beginning of its number", async () => {
    const account = await aShop();
    const { id } = await order(account, { order_number: "So-77" });
    const linked = await account.create(aShipment({ order_id: id }));
    await account.create(aShipment());
    const found = async (query: string) =>
      must(await account.get<DataOf<Shipment[]>>(`/shipments?${query}`), 200).data.map(
        (row) => row.id,
      );
    expect(await found(`order_id=${id}`)).toEqual([linked.id]);
    expect(await found("q=so-7")).toEqual([linked.id]);
    must(await account.put(`/orders/${id}`, { order_number: "Neu-1" }), 200);
    expect(await found("q=so-7")).toEqual([]);
    expect(await found("q=neu")).toEqual([linked.id]);
  });
});
