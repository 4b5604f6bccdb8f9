import { afterAll, expect, test } from "vitest";
import { connect } from "../connect.ts";

/** Nothing is sent: there is no server at the address. */
const { db, close } = connect({
  url: "postgres://127.0.0.1:1/none",
  connections_max: 1,
  application_name: "none",
});
afterAll(close);

const rules = '"account_id", "version"';

test("a query of all columns of a table names the known ones", () => {
  const all = db.selectFrom("rule_sets").selectAll();
  expect(all.compile().sql).toBe(`select ${rules} from "rule_sets"`);
  const named = db.selectFrom("rule_sets as set").selectAll("set").select("set.version as same");
  expect(named.compile().sql).toBe(
    'select "set"."account_id", "set"."version", "set"."version" as "same" from "rule_sets" as "set"',
  );
});

test("so does an INSERT or UPDATE that returns them", () => {
  const made = db.insertInto("rule_sets").values({ account_id: "acc", version: "1" });
  expect(made.returningAll().compile().sql).toMatch(new RegExp(`returning ${rules}$`));
  const changed = db.updateTable("rule_sets").set({ version: "2" }).returningAll();
  expect(changed.compile().sql).toMatch(new RegExp(`returning ${rules}$`));
});

test("of several joined tables, only `*` of a named one is replaced", () => {
  const both = db
    .selectFrom("rules")
    .innerJoin("rule_sets", "rule_sets.account_id", "rules.account_id");
  expect(both.selectAll("rule_sets").compile().sql).toMatch(
    /^select "rule_sets"\."account_id", "rule_sets"\."version" from "rules"/,
  );
  expect(both.selectAll().compile().sql).toMatch(/^select \* from/);
});
