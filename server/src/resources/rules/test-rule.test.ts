import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aToken } from "../../../test/api.ts";
import { anOrder } from "../../../test/orders.ts";
import { when, type RuleEntry, type RuleTested } from "../../../test/rules.ts";
import { aShipment, boston, parcel } from "../../../test/shipments.ts";
import { dataOf, problems, rulesWorld, type RulesWorld } from "./rules-world.ts";

let world: RulesWorld;
beforeAll(async () => {
  world = await rulesWorld();
});
afterAll(() => world.close());

const send: RulesWorld["send"] = (...given) => world.send(...given);
const save: RulesWorld["save"] = (...given) => world.save(...given);
const aShop = () => world.aShop();
const ship: RulesWorld["ship"] = (...given) => world.ship(...given);

describe("a test of a rule", () => {
  const heavy: RuleEntry = {
    enabled: false,
    criteria: when("total_weight", "gt", { value: 1, unit: "kg" }),
    actions: [
      { type: "add_tag", tag: "heavy" },
      { type: "add_to_batch", name: "Heavy" },
    ],
  };
  const dryRun = (id: string, body: object, token?: string) =>
    send("POST", `/rules/${id}/test`, body, token);

  test("shows why it matches and what each action would change, and changes nothing", async () => {
    const shop = await aShop();
    const { id } = await save(heavy, shop);
    const stored = await ship(shop);
    for (const body of [{ shipment_id: stored.id }, { shipment: aShipment() }]) {
      expect(dataOf<RuleTested>(await dryRun(id, body, shop))).toEqual({
        matched: true,
        conditions: {
          match: "all",
          matched: true,
          conditions: [
            expect.objectContaining({
              field: "total_weight",
              matched: true,
              actual: { value: 1.4, unit: "kg" },
            }),
          ],
        },
        status: "applied",
        actions: [
          { type: "add_tag", changes: [{ field: "tags", before: [], after: ["heavy"] }] },
          {
            type: "add_to_batch",
            changes: [{ field: "batch_name", before: null, after: "Heavy" }],
          },
        ],
        error: null,
      });
    }
    expect(dataOf(await send("GET", `/shipments/${stored.id}`, undefined, shop))).toEqual(stored);
    expect(dataOf(await send("GET", "/batches", undefined, shop))).toEqual([]);
    expect(dataOf(await send("GET", `/rules/${id}`, undefined, shop))).toMatchObject({
      run_count: 0,
    });
    const light = { ...aShipment(), packages: [{ ...parcel, weight: 0.2 }] };
    expect(dataOf(await dryRun(id, { shipment: light }, shop))).toMatchObject({
      matched: false,
      status: null,
      actions: [],
    });
  });

  test("shows how it would fail or refuse", async () => {
    const shop = await aShop();
    const abroad = await save({ actions: [{ type: "set_from_address", address: boston }] }, shop);
    expect(dataOf(await dryRun(abroad.id, { shipment: aShipment() }, shop))).toMatchObject({
      matched: true,
      status: "failed",
      error: { code: "validation_failed" },
    });
    const rejects = await save(
      { trigger: "order.created", actions: [{ type: "reject", message: "No." }] },
      shop,
    );
    expect(dataOf(await dryRun(rejects.id, { order: anOrder() }, shop))).toMatchObject({
      status: "rejected",
      error: { code: "rejected_by_rule", message: "No." },
    });
  });

  test("refuses the wrong kind, both at once, neither, and an invalid shipment", async () => {
    const { id } = await save();
    const refused = async (body: unknown) =>
      Object.keys(problems(await dryRun(id, body as object)));
    expect(await refused({ order: anOrder() })).toEqual(["order"]);
    expect(await refused({ shipment_id: "shp_x", shipment: aShipment() })).toEqual(["shipment"]);
    expect(await refused({})).toEqual(["shipment_id"]);
    expect(await refused(null)).toEqual(["body"]);
    expect(await refused({ shipment: { packages: [{ weight: 0 }] } })).toContain(
      "shipment.packages.0.weight",
    );
    expect((await dryRun(id, { shipment_id: "shp_nobody" })).statusCode).toBe(404);
  });

  test("names the failing fields of the request and of its shipment in one response", async () => {
    const { id } = await save();
    const shipment = { ...aShipment(), packages: 7 };
    const paths = async (body: object) => Object.keys(problems(await dryRun(id, body))).toSorted();
    expect(await paths({ order: anOrder(), shipment })).toEqual(["order", "shipment.packages"]);
    expect(await paths({ order: 5, shipment_id: 5 })).toEqual(["order", "shipment_id"]);
    const ofRules = await save({ trigger: "order.created", criteria: when("tags", "exists") });
    const order = { ...anOrder(), to_address: 5, items: 7 };
    expect(Object.keys(problems(await dryRun(ofRules.id, { order, shipment }))).toSorted()).toEqual(
      ["order.items", "order.to_address", "shipment"],
    );
  });

  test("shows a stored shipment only to a token that may read it", async () => {
    const { id } = await save();
    const { id: shipment_id } = await ship(world.full);
    const blind = await aToken(world.api, world.account, { scopes: ["automation:read"] });
    expect((await dryRun(id, { shipment_id }, blind)).statusCode).toBe(403);
    expect((await dryRun(id, { shipment: aShipment() }, blind)).statusCode).toBe(200);
  });
});

describe("a test of a rule that is not saved", () => {
  const rule: RuleEntry = {
    name: "Heavy",
    trigger: "shipment.created",
    criteria: when("total_weight", "gt", { value: 1, unit: "kg" }),
    actions: [{ type: "buy_label", max_total: 20 }],
  };
  const dryRun = (body: object, token?: string) => send("POST", "/rules/test", body, token);

  test("shows what it would do, to a token that may not save it, and saves nothing", async () => {
    const shop = await aShop();
    const stored = await ship(shop);
    const tested = dataOf<RuleTested>(await dryRun({ rule, shipment_id: stored.id }, shop));
    expect(tested).toMatchObject({
      matched: true,
      conditions: { conditions: [{ field: "total_weight", matched: true }] },
      actions: [{ type: "buy_label", changes: [{ field: "purchase" }] }],
    });
    expect(dataOf(await send("GET", "/rules", undefined, shop))).toEqual([]);
  });

  test("names the failing fields of the rule, its filter and its subject in one response", async () => {
    const paths = async (body: object) => Object.keys(problems(await dryRun(body))).toSorted();
    const shipment = { ...aShipment(), to_address: 5, packages: 7 };
    const hold = { name: "x", trigger: "shipment.created", actions: [{ type: "hold" }] };
    const ofShipment = ["shipment.packages", "shipment.to_address"];
    expect(await paths({ rule: hold, shipment })).toEqual(ofShipment);
    expect(await paths({ rule: { ...hold, enabled: {} }, shipment })).toEqual([
      "rule.enabled",
      ...ofShipment,
    ]);
    expect(await paths({ rule: { ...hold, enabled: {}, filter_id: "flt_x" }, shipment })).toEqual([
      "rule.enabled",
      "rule.filter_id",
      ...ofShipment,
    ]);
    expect(await paths({ rule: { ...hold, enabled: {} } })).toEqual([
      "rule.enabled",
      "shipment_id",
    ]);
    expect(await paths({ rule: { ...hold, trigger: "x" }, shipment })).toEqual([
      "rule.trigger",
      ...ofShipment,
    ]);
    expect(await paths({ rule: 5, shipment })).toEqual(["rule", ...ofShipment]);
    expect(await paths({ shipment })).toEqual(["rule", ...ofShipment]);
    expect(await paths([])).toEqual(["body"]);
  });

  test("on a subject that is not there is 404, as the document says", async () => {
    expect((await dryRun({ rule, shipment_id: "shp_none" })).statusCode).toBe(404);
    const ofOrders = { ...rule, trigger: "order.created", criteria: when("tags", "exists") };
    const held = { ...ofOrders, actions: [{ type: "hold" }] };
    expect((await dryRun({ rule: held, order_id: "ord_none" })).statusCode).toBe(404);
  });

  test("is refused for what saving it would refuse, by the path within the rule", async () => {
    const shop = await aShop();
    const { id: filter_id } = dataOf<{ id: string }>(
      await send(
        "POST",
        "/filters",
        { name: "Orders", target: "orders", criteria: when("tags", "exists") },
        shop,
      ),
      201,
    );
    const paths = async (entry: object) =>
      Object.keys(problems(await dryRun({ rule: entry, shipment: aShipment() }, shop)));
    expect(await paths({ ...rule, name: " ", actions: [{ type: "fly" }] })).toEqual([
      "rule.actions.0.type",
      "rule.name",
    ]);
    const { criteria: _own, ...bare } = rule;
    expect(await paths({ ...bare, filter_id })).toEqual(["rule.filter_id"]);
    expect(await paths({ ...bare, filter_id: "flt_nothing" })).toEqual(["rule.filter_id"]);
    expect(Object.keys(problems(await dryRun({ shipment: aShipment() }, shop)))).toEqual(["rule"]);
  });
});
