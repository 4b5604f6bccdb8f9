import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../../../test/api.ts";
import { aRule, when, type Rule, type RuleEntry } from "../../../test/rules.ts";
import { ottawa, parcel } from "../../../test/shipments.ts";
import {
  dataOf,
  errorOf,
  problems,
  rulesWorld,
  whole,
  type SavedResource,
  type RulesWorld,
} from "./rules-world.ts";

let world: RulesWorld;
beforeAll(async () => {
  world = await rulesWorld();
});
afterAll(() => world.close());

const send: RulesWorld["send"] = (...given) => world.send(...given);
const save: RulesWorld["save"] = (...given) => world.save(...given);
const aShop = () => world.aShop();
const ship: RulesWorld["ship"] = (...given) => world.ship(...given);

describe("a rule", () => {
  test("is saved with its defaults, shown, replaced as a whole, and deleted", async () => {
    const saved = await save({ name: " Tag ", actions: [{ type: "add_tag", tag: "seen", or: 1 }] });
    expect(saved).toEqual({
      id: expect.stringMatching(/^rul_/) as string,
      name: "Tag",
      enabled: true,
      priority: 100,
      trigger: "shipment.created",
      filter_id: null,
      criteria: null,
      actions: [{ type: "add_tag", tag: "seen" }],
      stop_processing: false,
      last_run_at: null,
      run_count: 0,
      created_at: world.clock.now().toISOString(),
      updated_at: world.clock.now().toISOString(),
    });
    const path = `/rules/${saved.id}`;
    expect(dataOf(await send("GET", path))).toEqual(saved);
    world.clock.advance(1000);
    const replaced = dataOf(await send("PUT", path, whole));
    expect(replaced).toEqual({ ...saved, ...whole, updated_at: world.clock.now().toISOString() });
    expect(dataOf(await send("GET", path))).toEqual(replaced);
    expect((await send("DELETE", path)).statusCode).toBe(204);
    for (const method of ["GET", "DELETE"] as const)
      expect((await send(method, path)).statusCode).toBe(404);
    expect((await send("PUT", path, whole)).statusCode).toBe(404);
  });

  test("saved again with its key is saved once", async () => {
    const body = aRule();
    const again = () =>
      call(world.api, {
        token: world.full,
        method: "POST",
        path: "/rules",
        body,
        headers: { "idempotency-key": "once" },
      });
    expect((await again()).body).toBe((await again()).body);
  });

  test("is listed page by page, newest first", async () => {
    const shop = await aShop();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      world.clock.advance(1);
      ids.unshift((await save({}, shop)).id);
    }
    const page = async (path: string) =>
      (await send("GET", path, undefined, shop)).json<{
        data: Rule[];
        links: { next: string | null };
      }>();
    const first = await page("/rules?per_page=2");
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await page(first.links.next!.split("/api/v5")[1]!);
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test("is limited in number per account", async () => {
    const shop = await aShop();
    for (let count = 0; count < 60; count++) await save({}, shop);
    const refused = await send("POST", "/rules", aRule(), shop);
    expect([refused.statusCode, errorOf(refused)]).toMatchObject([
      409,
      { code: "conflict", details: { max: 60 } },
    ]);
  });
});

describe("refused when saved", () => {
  test("is every wrong part at once, by its path", async () => {
    const refused = await send("POST", "/rules", {
      trigger: "order.lost",
      priority: -1,
      enabled: "yes",
      criteria: { match: "all", conditions: [{ field: "weight", operator: "gt", value: 1 }] },
      actions: [
        { type: "set_service", service: "ups.teleport", max_total: 0 },
        { type: "exclude_carrier", carrier: "pigeon" },
        { type: "add_weight", weight: -1, weight_unit: "stone" },
        { type: "add_add_on", add_on: "confetti" },
        { type: "set_from_address", address: { ...ottawa, postal_code: "V6B 1A1" } },
        { type: "set_package", length: 3 },
        { type: "set_customs", hs_code: "12", country_of_origin: "XX" },
        { type: "fly" },
        { tag: "a" },
        "hold",
        { type: "buy_label" },
        { type: "hold" },
        { type: "set_service" },
      ],
    });
    const found = problems(refused);
    expect(Object.keys(found).sort()).toEqual(
      [
        "name",
        "trigger",
        "priority",
        "enabled",
        "criteria.conditions.0.field",
        "actions.0.max_total",
        "actions.1.carrier",
        "actions.2.weight",
        "actions.2.weight_unit",
        "actions.3.add_on",
        "actions.4.address.postal_code",
        "actions.5.width",
        "actions.5.height",
        "actions.5.size_unit",
        "actions.6.hs_code",
        "actions.6.country_of_origin",
        "actions.7.type",
        "actions.8.type",
        "actions.9",
        "actions.10.max_total",
        "actions.10.type",
        "actions.12.service",
      ].sort(),
    );
  });

  test.each<[string, RuleEntry, string]>([
    [
      "a service that is none",
      { actions: [{ type: "set_service", service: "ups.teleport" }] },
      "actions.0.service",
    ],
    [
      "service and strategy",
      { actions: [{ type: "set_service", service: "ups.standard", strategy: "cheapest" }] },
      "actions.0.strategy",
    ],
    [
      "an excluded service that is none",
      { actions: [{ type: "exclude_service", service: "constructor" }] },
      "actions.0.service",
    ],
    ["no action", { actions: [] }, "actions"],
    [
      "too many actions",
      { actions: Array.from({ length: 21 }, () => ({ type: "hold" })) },
      "actions",
    ],
    ["a blank tag", { actions: [{ type: "add_tag", tag: " " }] }, "actions.0.tag"],
    [
      "a reference too long",
      { actions: [{ type: "set_reference", reference: "x".repeat(51) }] },
      "actions.0.reference",
    ],
    ["NUL in a message", { actions: [{ type: "reject", message: "a\0b" }] }, "actions.0.message"],
    ["half a surrogate pair", { name: "\ud800" }, "name"],
    ["half a cent", { actions: [{ type: "buy_label", max_total: 1.005 }] }, "actions.0.max_total"],
    [
      "a batch from a batch",
      { trigger: "batch.before_process", actions: [{ type: "add_to_batch", name: "B" }] },
      "actions.0.type",
    ],
    [
      "a purchase before a purchase",
      { trigger: "shipment.before_purchase", actions: [{ type: "buy_label", max_total: 5 }] },
      "actions.0.type",
    ],
    [
      "a purchase into a batch",
      {
        actions: [
          { type: "buy_label", max_total: 5 },
          { type: "add_to_batch", name: "B" },
        ],
      },
      "actions.0.type",
    ],
    [
      "a field of orders, of a shipment",
      { criteria: when("order_total", "gt", 5) },
      "criteria.conditions.0.field",
    ],
    ["a filter that is not there", { filter_id: "flt_nothing" }, "filter_id"],
    [
      "a filter and criteria",
      { filter_id: "flt_nothing", criteria: when("tags", "exists") },
      "criteria",
    ],
  ])("is %s", async (_name, entry, path) => {
    expect(Object.keys(problems(await send("POST", "/rules", aRule(entry))))).toContain(path);
  });

  test("names a filter that is not there beside the other fields", async () => {
    const body = aRule({ name: " ", filter_id: "flt_nothing" });
    expect(Object.keys(problems(await send("POST", "/rules", body))).toSorted()).toEqual([
      "filter_id",
      "name",
    ]);
    const unstorable = aRule({ name: " ", filter_id: "\0" });
    expect(Object.keys(problems(await send("POST", "/rules", unstorable)))).toContain("filter_id");
  });

  test.each([null, [], 7])("is %j for a body", async (body) => {
    problems(await send("POST", "/rules", body));
  });

  test("is a PUT with a part missing, or an unknown one", async () => {
    const { id } = await save();
    const { name: _name, ...partial } = whole;
    const body = {
      ...partial,
      colour: "red",
      actions: [{ type: "hold", constructor: 1, until: "Monday" }],
      criteria: { ...whole.criteria, note: "" },
    };
    expect(Object.keys(problems(await send("PUT", `/rules/${id}`, body))).sort()).toEqual([
      "actions.0.constructor",
      "actions.0.until",
      "colour",
      "criteria.note",
      "name",
    ]);
  });

  test("is no PUT of what was read, nor of what creates a rule: the rule is that then", async () => {
    const saved = await save({ criteria: when("tags", "exists"), enabled: false, priority: 7 });
    const path = `/rules/${saved.id}`;
    const changed = { ...saved, name: "Another name", run_count: 99, id: "rul_other" };
    expect(dataOf(await send("PUT", path, changed))).toEqual({ ...saved, name: "Another name" });
    const { name, trigger, actions } = saved;
    expect(dataOf(await send("PUT", path, { name, trigger, actions }))).toEqual({
      ...saved,
      enabled: true,
      priority: 100,
      criteria: null,
    });
  });
});

describe("the filter of a rule", () => {
  const filter = { name: "Two", target: "shipments", criteria: when("package_count", "gte", 2) };

  test("is counted, cannot be deleted or retargeted, and acts as it is changed", async () => {
    const shop = await aShop();
    const { id } = dataOf<SavedResource>(await send("POST", "/filters", filter, shop), 201);
    const rule = await save({ filter_id: id, actions: [{ type: "add_tag", tag: "two" }] }, shop);
    const path = `/filters/${id}`;
    expect(dataOf(await send("GET", path, undefined, shop))).toMatchObject({ used_by_rules: 1 });
    const inUse = [409, { code: "filter_in_use", details: { rule_ids: [rule.id] } }];
    const deleted = await send("DELETE", path, undefined, shop);
    expect([deleted.statusCode, errorOf(deleted)]).toMatchObject(inUse);
    const turned = await send("PUT", path, { ...filter, target: "orders" }, shop);
    expect([turned.statusCode, errorOf(turned)]).toMatchObject(inUse);
    expect((await ship(shop))["tags"]).toEqual([]);
    expect((await ship(shop, { packages: [parcel, parcel] }))["tags"]).toEqual(["two"]);
    const wider = { ...filter, target: "both", criteria: when("package_count", "gte", 1) };
    expect(dataOf(await send("PUT", path, wider, shop))).toMatchObject({ used_by_rules: 1 });
    expect((await ship(shop))["tags"]).toEqual(["two"]);
    expect((await send("DELETE", `/rules/${rule.id}`, undefined, shop)).statusCode).toBe(204);
    expect((await send("DELETE", path, undefined, shop)).statusCode).toBe(204);
  });

  test("is of the trigger's subject", async () => {
    const shop = await aShop();
    const { id } = dataOf<SavedResource>(await send("POST", "/filters", filter, shop), 201);
    const refused = await send(
      "POST",
      "/rules",
      aRule({ filter_id: id, trigger: "order.created" }),
      shop,
    );
    expect(Object.keys(problems(refused))).toEqual(["filter_id"]);
  });
});
