import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type Failure, type Reply } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, type TestAccount, type World } from "../world.ts";

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
