import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countOutcomes,
  outcomeOf,
  type DataOf,
  type Failure,
  type ListOf,
  type Reply,
} from "../client.ts";
import { anOrder, bowl, cups, order, shipped, showOrder, type Order } from "../orders.ts";
import { boston, halifax, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Storing orders: their fields, and what is refused (spec 4.8, decision 14). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

describe("POST", () => {
  test("stores the fields, tidied, and shows all of them", async () => {
    const account = await anAccount(world);
    const sent = anOrder({
      order_number: "  #2001 ",
      source: "shopify",
      customer: { name: " Delia  Novak ", email: "delia@example.com", nickname: "Dee" },
      to_address: { ...boston, province_code: "ma" },
      from_address: ottawa,
      items: [{ ...cups, title: "Cup  " }],
      requested_service: "Express",
      totals: { subtotal: 24, shipping: 9.99, tax: 0, total: 33.99, currency: "USD" },
      notes: "Two lines,\nas it was written. ",
      tags: ["gift", "vip"],
      placed_at: "2026-09-30T23:30:00-05:00",
      metadata: { channel: "pop-up", priority: 2 },
    });
    const made = must(await account.post<DataOf<Order>>("/orders", sent), 201).data;
    expect(made).toMatchObject({
      order_number: "#2001",
      source: "shopify",
      status: "unfulfilled",
      customer: {
        name: "Delia Novak",
        company: null,
        email: "delia@example.com",
        phone: null,
        external_id: null,
      },
      to_address: { province_code: "MA", is_residential: true },
      from_address: { city: "Ottawa" },
      items: [{ sku: "CUP", title: "Cup", currency: "USD", fulfilled_quantity: 0, hs_code: null }],
      packages: [{ weight: parcel.weight, package_type: "parcel", declared_value: null }],
      requested_service: "Express",
      totals: {
        subtotal: 24,
        shipping: 9.99,
        discount: null,
        tax: 0,
        total: 33.99,
        currency: "USD",
      },
      notes: "Two lines,\nas it was written.",
      tags: ["gift", "vip"],
      placed_at: "2026-10-01T04:30:00.000Z",
      shipments: [],
      metadata: { channel: "pop-up", priority: 2 },
    });
    expect(made.id).toMatch(/^ord_/);
    expect(Object.keys(made.packages[0]!)).not.toContain("id");
    expect(await showOrder(account, made.id)).toEqual(made);
  });

  test("requires a number and an address only", async () => {
    const account = await anAccount(world);
    const least = { order_number: "1", to_address: halifax };
    const made = must(await account.post<DataOf<Order>>("/orders", least), 201).data;
    expect(made).toMatchObject({
      source: "api",
      customer: null,
      from_address: null,
      items: [],
      packages: [],
      requested_service: null,
      totals: { total: null, currency: "CAD" },
      notes: null,
      tags: [],
      metadata: {},
    });
    expect(Math.abs(Date.parse(made.placed_at) - Date.parse(made.created_at))).toBeLessThan(1000);
    const held = { ...least, order_number: "2", status: "on_hold" };
    expect(must(await account.post<DataOf<Order>>("/orders", held), 201).data.status).toBe(
      "on_hold",
    );
  });

  test("names every failing field", async () => {
    const account = await anAccount(world);
    const wrong = {
      order_number: "\u200b ",
      source: "etsy",
      status: "fulfilled",
      customer: { email: 7 },
      to_address: { ...halifax, postal_code: "M5V 1A1" },
      from_address: { ...ottawa, country_code: "XX" },
      items: [
        { ...cups, quantity: 0 },
        { ...bowl, weight: 1 },
      ],
      packages: [{ weight: 1, weight_unit: "kg", length: 3 }],
      totals: { total: 1.001, currency: "dollars" },
      placed_at: "yesterday",
      tags: ["a", "a"],
    };
    const { error } = must(await account.post<Failure>("/orders", wrong), 422);
    expect(Object.keys(error.details).toSorted()).toEqual([
      "customer.email",
      "from_address.country_code",
      "items.0.quantity",
      "items.1.weight_unit",
      "order_number",
      "packages.0.height",
      "packages.0.size_unit",
      "packages.0.width",
      "placed_at",
      "source",
      "status",
      "tags",
      "to_address.postal_code",
      "totals.currency",
      "totals.total",
    ]);
    for (const text of ["a\u0000b", "\ud800", "\u0007"]) {
      const hostile = anOrder({ order_number: text, notes: text, tags: [text] });
      const refused = must(await account.post<Failure>("/orders", hostile), 422).error;
      expect(Object.keys(refused.details).toSorted()).toEqual(["notes", "order_number", "tags.0"]);
    }
    expect(must(await account.get<ListOf<Order>>("/orders"), 200).data).toEqual([]);
  });

  test("refuses a number that its source has, and names the order that has it", async () => {
    const [account, other] = [await anAccount(world), await anAccount(world)];
    const first = await order(account, { order_number: "7", source: "shopify" });
    const twin = anOrder({ order_number: "7", source: "shopify" });
    const { error } = must(await account.post<Failure>("/orders", twin), 409);
    expect(error).toMatchObject({
      code: "conflict",
      details: { order_id: first.id, order_number: "7", source: "shopify" },
    });
    await order(account, { order_number: "7", source: "woocommerce" });
    await order(other, { order_number: "7", source: "shopify" });
  });

  test("of a hundred concurrent duplicates one is stored", async () => {
    const account = await anAccount(world);
    const twin = anOrder();
    const send = () => account.post("/orders", twin);
    const replies = await Promise.all(Array.from({ length: 100 }, send));
    expect(countOutcomes(replies)).toEqual({ "201": 1, "409 conflict": 99 });
  });
});

describe("POST of many", () => {
  interface Bulk {
    data: {
      index: number;
      status: string;
      order_number?: string;
      data?: Order;
      error?: Failure["error"];
    }[];
    meta: object;
  }

  test("stores the valid ones, each by itself, and the first of two with one number", async () => {
    const account = await anAccount(world);
    const old = await order(account, { order_number: "old" });
    const rows = [
      anOrder({ order_number: "b" }),
      anOrder({ order_number: "old" }),
      { order_number: "no address" },
      7,
      anOrder({ order_number: "a" }),
      anOrder({ order_number: "b", notes: "the second" }),
    ];
    const { data, meta } = must(await account.post<Bulk>("/orders", rows), 201);
    expect(meta).toEqual({ total: 6, created: 2, failed: 4 });
    expect(data.map(({ status, error }) => error?.code ?? status)).toEqual([
      "created",
      "conflict",
      "validation_failed",
      "validation_failed",
      "created",
      "conflict",
    ]);
    expect(data[1]).toMatchObject({
      order_number: "old",
      error: { details: { order_id: old.id } },
    });
    expect(data[2]).toMatchObject({ order_number: "no address", index: 2 });
    expect(data[5]!.error!.details["order_id"]).toBe(data[0]!.data!.id);
    const listed = must(await account.get<ListOf<Order>>("/orders"), 200).data;
    expect(listed.map(({ order_number, notes }) => [order_number, notes])).toEqual([
      ["a", null],
      ["b", null],
      ["old", null],
    ]);
  });

  test("is 422 with the rows when none is valid, and takes 1 to 500", async () => {
    const account = await anAccount(world);
    const known = await order(account);
    const rows = [anOrder({ order_number: known.order_number }), {}];
    const refused = must(await account.post<Bulk & Failure>("/orders", rows), 422);
    expect(refused.error.code).toBe("validation_failed");
    expect(refused.data.map(({ error }) => error!.code)).toEqual(["conflict", "validation_failed"]);
    expect(outcomeOf(await account.post("/orders", []))).toBe("422 validation_failed");
    const many = Array.from({ length: 501 }, () => anOrder());
    expect(outcomeOf(await account.post("/orders", many))).toBe("422 too_many_rows");
    const all = must(await account.post<Bulk>("/orders", many.slice(1)), 201);
    expect(all.meta).toEqual({ total: 500, created: 500, failed: 0 });
  });

  test("happens once for a key, and two that overlap store each number once", async () => {
    const account = await anAccount(world);
    const rows = Array.from({ length: 40 }, () => anOrder());
    const send = (body: unknown, key: string) =>
      account.post<Bulk>("/orders", body, { "idempotency-key": key });
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => send(rows, "forward")),
      send(rows.toReversed(), "backward"),
    ]);
    expect(new Set(replies.slice(0, 3).map(({ bytes }) => bytes.toString())).size).toBe(1);
    const created = (reply: Reply<Bulk>) =>
      reply.body.data.filter(({ status }) => status === "created").length;
    expect(created(replies[0]) + created(replies[3]!)).toBe(40);
    const page = must(await account.get<ListOf<Order>>("/orders?page=1"), 200);
    expect(page.meta["total"]).toBe(40);
  });
});

describe("PUT", () => {
  test("changes what the body names and leaves the rest", async () => {
    const account = await anAccount(world);
    const before = await order(account, { notes: "old", tags: ["a"], totals: { total: 10 } });
    const put = async (body: object) =>
      must(await account.put<DataOf<Order>>(`/orders/${before.id}`, body), 200).data;
    const { updated_at: _moment, ...unchanged } = before;
    expect(await put({})).toMatchObject(unchanged);
    const after = await put({ notes: null, to_address: ottawa, totals: { tax: 2 }, source: "csv" });
    expect(after).toMatchObject({
      ...unchanged,
      source: "csv",
      notes: null,
      to_address: { name: ottawa.name, city: "Ottawa" },
      totals: { ...before.totals, total: null, tax: 2 },
    });
    expect(await showOrder(account, before.id)).toEqual(after);
  });

  test("changes none of its shipments", async () => {
    const account = await anAccount(world);
    const { id } = await order(account, { from_address: ottawa });
    const shipment = await shipped(account, id);
    must(await account.put(`/orders/${id}`, { to_address: ottawa, order_number: "new" }), 200);
    expect(await account.show(shipment.id)).toEqual(shipment);
  });

  test("refuses what would make the order invalid, and changes nothing", async () => {
    const account = await anAccount(world);
    const [before, other] = [await order(account), await order(account)];
    const path = `/orders/${before.id}`;
    const wrong = { to_address: { ...halifax, city: "" }, source: null, items: {}, status: "lost" };
    const { error } = must(await account.put<Failure>(path, wrong), 422);
    expect(Object.keys(error.details).toSorted()).toEqual([
      "items",
      "source",
      "status",
      "to_address.city",
    ]);
    const taken = await account.put<Failure>(path, {
      order_number: other.order_number,
      notes: "x",
    });
    expect(must(taken, 409).error).toMatchObject({
      code: "conflict",
      details: { order_id: other.id, order_number: other.order_number, source: "api" },
    });
    for (const body of [null, [], 7, "x"])
      expect(outcomeOf(await account.put(path, JSON.stringify(body)))).toBe(
        "422 validation_failed",
      );
    expect(outcomeOf(await account.put("/orders/ord_nobody", {}))).toBe("404 not_found");
    expect(await showOrder(account, before.id)).toEqual(before);
  });
});

test("an order has as many shipments as the setting says, and no more", async () => {
  const small = await aPlatform({ WAYBILL_ORDER_SHIPMENTS_MAX: "2" });
  try {
    const account = await anAccount(small);
    const { id } = await order(account, { from_address: ottawa });
    const row = { from_address: ottawa, to_address: halifax, packages: [parcel], order_id: id };
    const bulk = await account.post<{ meta: object }>("/shipments", [row, row, row]);
    expect(must(bulk, 201).meta).toEqual({ total: 3, created: 2, failed: 1 });
    const refused = must(await account.post<Failure>(`/orders/${id}/shipments`), 422).error;
    expect(refused.details).toEqual({
      order_id: ["order_id names an order that has 2 shipments, and no order has more."],
    });
  } finally {
    await small.close();
  }
});

test("reading needs orders:read, writing orders:write", async () => {
  const [reader, writer] = [
    await anAccount(world, { scopes: ["orders:read"] }),
    await anAccount(world, { scopes: ["orders:write"] }),
  ];
  expect((await reader.get("/orders")).status).toBe(200);
  expect(outcomeOf(await reader.post("/orders", anOrder()))).toBe("403 scope_missing");
  const { id } = await order(writer, { from_address: ottawa });
  await showOrder(writer, id);
  await shipped(writer, id);
});
