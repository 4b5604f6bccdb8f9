import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aToken } from "../../../test/api.ts";
import { aRule, when, type Rule, type RuleEntry } from "../../../test/rules.ts";
import {
  dataOf,
  errorOf,
  rulesWorld,
  whole,
  type Response,
  type RulesWorld,
} from "./rules-world.ts";

/** Spending money requires the scope to buy labels, also through a rule (decision 3). */

let world: RulesWorld;
/** May save rules, and not buy. */
let clerk: string;
beforeAll(async () => {
  world = await rulesWorld();
  clerk = await aToken(world.api, world.account, { scopes: ["automation:write"] });
});
afterAll(() => world.close());

const buying = [
  { type: "add_tag", tag: "bought" },
  { type: "buy_label", max_total: 20 },
];
const save = (entry: RuleEntry, token: string) => world.send("POST", "/rules", aRule(entry), token);
const refused = (response: Response) => {
  expect(response.statusCode, response.body).toBe(403);
  expect(errorOf(response)).toMatchObject({
    code: "scope_missing",
    details: { required_scopes: ["labels:create"], token_scopes: ["automation:write"] },
  });
};

describe("a token without labels:create", () => {
  test("saves no rule that buys, enabled or not", async () => {
    const { length } = dataOf<Rule[]>(await world.send("GET", "/rules"));
    for (const enabled of [true, false]) refused(await save({ enabled, actions: buying }, clerk));
    expect(dataOf(await world.send("GET", "/rules"))).toHaveLength(length);
    dataOf(await save({ actions: buying.slice(0, 1) }, clerk), 201);
  });

  test("neither enables nor changes one that buys, nor makes one that does not buy do so", async () => {
    const entry = { ...whole, enabled: false, actions: buying };
    const rule = dataOf<Rule>(await world.send("POST", "/rules", entry), 201);
    const harmless = dataOf<Rule>(await save({}, clerk), 201);
    for (const { id } of [rule, harmless])
      refused(await world.send("PUT", `/rules/${id}`, { ...whole, actions: buying }, clerk));
    for (const each of [rule, harmless])
      expect(dataOf(await world.send("GET", `/rules/${each.id}`))).toEqual(each);
  });

  test("may end what a rule buys: by removing the action, and by deleting the rule", async () => {
    const rule = dataOf<Rule>(
      await world.send("POST", "/rules", { ...whole, actions: buying }),
      201,
    );
    const without = { ...whole, actions: buying.slice(0, 1) };
    dataOf(await world.send("PUT", `/rules/${rule.id}`, without, clerk));
    dataOf(await world.send("PUT", `/rules/${rule.id}`, { ...whole, actions: buying }));
    expect((await world.send("DELETE", `/rules/${rule.id}`, undefined, clerk)).statusCode).toBe(
      204,
    );
  });

  test("is not shown by its key what a token with labels:create saved", async () => {
    const entry = aRule({ enabled: false, actions: buying });
    const key = { "idempotency-key": "a rule that buys" };
    const saved = await world.send("POST", "/rules", entry, undefined, key);
    dataOf<Rule>(saved, 201);
    const again = await world.send("POST", "/rules", entry, undefined, key);
    expect([again.statusCode, again.body]).toEqual([201, saved.body]);
    const asked = await world.send("POST", "/rules", entry, clerk, key);
    expect([asked.statusCode, errorOf(asked).code]).toEqual([409, "idempotency_conflict"]);
  });

  test("does not replace a saved filter by which a rule buys", async () => {
    const filter = { name: "Light", target: "shipments", criteria: when("tags", "contains", "a") };
    const { id } = dataOf<{ id: string }>(await world.send("POST", "/filters", filter), 201);
    const wider = { ...filter, criteria: when("package_count", "gte", 1) };
    const { criteria: _own, ...filtered } = { ...whole, filter_id: id };
    const tagging = dataOf<Rule>(await world.send("POST", "/rules", filtered), 201);
    dataOf(await world.send("PUT", `/filters/${id}`, filter, clerk));
    dataOf(await world.send("PUT", `/rules/${tagging.id}`, { ...filtered, actions: buying }));
    refused(await world.send("PUT", `/filters/${id}`, wider, clerk));
    expect(dataOf(await world.send("GET", `/filters/${id}`))).toMatchObject(filter);
    expect(dataOf(await world.send("PUT", `/filters/${id}`, wider))).toMatchObject(wider);
  });
});

test("automation:write and labels:create together save a rule that buys", async () => {
  const scopes = ["automation:write", "labels:create"];
  const buyer = await aToken(world.api, world.account, { scopes });
  const { id } = dataOf<Rule>(await save({ enabled: false, actions: buying }, buyer), 201);
  dataOf(await world.send("PUT", `/rules/${id}`, { ...whole, actions: buying }, buyer));
});
