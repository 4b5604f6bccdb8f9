import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure, type Reply } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** One 422 names every failing field (decision 2), whether its shape, a table or the database says so. */

let world: World;
let account: TestAccount;
let shipment_id: string;
let bought_id: string;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
  shipment_id = (await account.create(aShipment())).id;
  bought_id = (await account.create(aShipment())).id;
  await account.bought(bought_id);
});
afterAll(() => world.close());

const fieldsOf = (reply: Reply<unknown>) => {
  expect(outcomeOf(reply)).toBe("422 validation_failed");
  return Object.keys((reply.body as Failure).error.details).toSorted();
};

describe("a purchase", () => {
  test.each([
    [{ service: "nope", label_format: "gif" }, ["label_format", "service"]],
    [{ service: 5, label_size: "a5" }, ["label_size", "service"]],
    [{ service: "cheapest", rate_id: "rat_x", add_ons: 5 }, ["add_ons", "rate_id"]],
    [{ service: "nope", rate_id: "rat_x" }, ["rate_id", "service"]],
    [{ service: "nope", rate_id: 5, expected_total: -1 }, ["expected_total", "rate_id", "service"]],
    [{ service: "ups.next_day" }, ["service"]],
    [[], ["body"]],
  ])("of a shipment, whatever its state: %j", async (body, fields) => {
    for (const id of [shipment_id, bought_id, "shp_none"])
      expect(fieldsOf(await account.post(`/labels/${id}`, body))).toEqual(fields);
  });

  test("of a shipment that it creates: the order, too", async () => {
    const order = { ...aShipment(), order_id: "ord_x" };
    const bad = { ...order, packages: [{ weight: 0, weight_unit: "kg" }] };
    const fields = ["order_id", "packages.0.weight"];
    expect(fieldsOf(await account.post("/shipments", bad))).toEqual(fields);
    const bought = { ...bad, service: "cheapest" };
    expect(fieldsOf(await account.post("/labels", bought))).toEqual(fields);
    const printed = { ...order, service: "cheapest", label_format: "gif" };
    expect(fieldsOf(await account.post("/labels", printed))).toEqual(["label_format", "order_id"]);
    expect(fieldsOf(await account.post("/labels", order))).toEqual(["order_id", "service"]);
  });

  test("of a shipment that it creates: the rate, too", async () => {
    const order = { ...aShipment(), order_id: "ord_x", rate_id: "rat_x" };
    expect(fieldsOf(await account.post("/labels", order))).toEqual(["order_id", "rate_id"]);
    const light = { ...order, packages: [{ weight: 0, weight_unit: "kg" }] };
    expect(fieldsOf(await account.post("/labels", light))).toEqual([
      "order_id",
      "packages.0.weight",
      "rate_id",
    ]);
    const strange = { ...order, packages: undefined, rate_id: "\0" };
    expect(fieldsOf(await account.post("/labels", strange))).toContain("rate_id");
  });

  test("of freight: a parcel's service, and what only a label has", async () => {
    const { id } = await account.create(aFreight());
    const body = { service: "ups.standard", label_format: "pdf", add_ons: ["signature"] };
    expect(fieldsOf(await account.post(`/labels/${id}`, body))).toEqual([
      "add_ons",
      "label_format",
      "service",
    ]);
  });
});

describe("a batch", () => {
  let batch_id: string;
  beforeAll(async () => {
    const body = { name: "One", shipment_ids: [shipment_id] };
    batch_id = must(await account.post<DataOf<{ id: string }>>("/batches", body), 201).data.id;
  });
  const unknown = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";

  test("that is processed: the service beside the format", async () => {
    const body = { service: "nope", label_format: "x" };
    for (const id of [batch_id, "bat_none"])
      expect(fieldsOf(await account.post(`/batches/${id}/process`, body))).toEqual([
        "label_format",
        "service",
      ]);
  });

  test("that is changed: unknown shipments beside the name, whether or not there is the batch", async () => {
    const body = { name: "", shipment_ids: [unknown, shipment_id, "x", unknown] };
    const fields = ["name", "shipment_ids.0", "shipment_ids.2", "shipment_ids.3"];
    for (const id of [batch_id, "bat_none"])
      expect(fieldsOf(await account.put(`/batches/${id}`, body))).toEqual(fields);
  });

  test("whose name is too deep to read on: no entry is looked up that no database can hold", async () => {
    let name: unknown = "deep";
    for (let level = 0; level < 40; level++) name = [name];
    const body = { name, shipment_ids: ["\0"] };
    expect(fieldsOf(await account.put(`/batches/${batch_id}`, body))).toEqual(["name"]);
  });

  test("that is added to: unknown shipments beside what is no id", async () => {
    const shipment_ids = [unknown, 5, shipment_id, "", "x"];
    for (const id of [batch_id, "bat_none"])
      expect(
        fieldsOf(await account.post(`/batches/${id}/add-shipments`, { shipment_ids })),
      ).toEqual(["shipment_ids.0", "shipment_ids.1", "shipment_ids.3", "shipment_ids.4"]);
  });
});

describe("a top-up", () => {
  test("the currency beside the amount", async () => {
    for (const [body, fields] of [
      [{ amount: 1, currency: "USD" }, ["amount", "currency"]],
      [{ currency: "USD", payment_method_id: 5 }, ["amount", "currency", "payment_method_id"]],
      [[], ["body"]],
    ] as const)
      expect(fieldsOf(await account.post("/credits/top-up", body))).toEqual(fields);
  });

  test("the card, too, of an account that has no default one", async () => {
    const poor = await anAccount(world);
    await world.db
      .updateTable("payment_methods")
      .set({ is_default: false })
      .where("account_id", "=", poor.account_id)
      .execute();
    expect(fieldsOf(await poor.post("/credits/top-up", { amount: 1 }))).toEqual([
      "amount",
      "payment_method_id",
    ]);
    expect(fieldsOf(await poor.post("/credits/top-up", { amount: 10 }))).toEqual([
      "payment_method_id",
    ]);
  });
});

describe("a list", () => {
  test.each(["/shipments", "/orders"])(
    "%s: the filter beside the page and the others",
    async (path) => {
      for (const [query, fields] of [
        ["cursor=x&filter_id=flt_x", ["cursor", "filter_id"]],
        ["per_page=0&filter_id=flt_x", ["filter_id", "per_page"]],
        ["per_page=0&cursor=x", ["cursor", "per_page"]],
        ["page=2&cursor=x&filter_id=&status=lost", ["cursor", "filter_id", "page", "status"]],
        ["filter_id=%00&cursor=x&cursor=y", ["cursor", "filter_id"]],
        ["filter_id=flt_x&page=9999999", ["filter_id", "page"]],
      ] as const)
        expect(fieldsOf(await account.get(`${path}?${query}`))).toEqual(fields);
    },
  );
});
