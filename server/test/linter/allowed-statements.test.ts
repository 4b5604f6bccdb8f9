import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { allowed, staleEntries, usageOf } from "./allowed-statements.ts";
import { judge } from "./judge-statements.ts";

beforeAll(loadModule);

const ofAnyAccount = "DELETE FROM quotes WHERE ctid = ANY (ARRAY (SELECT ctid FROM quotes))";

test("the number of statements that may break a rule is fixed", () => {
  expect(allowed.length).toBe(81);
  expect(allowed.flatMap(({ breaks }) => breaks).length).toBe(140);
});

test("what breaks a rule is refused, with the rule and the statement", () => {
  const { used, refused } = judge("SELECT id\n  FROM shipments WHERE id = $1");
  expect(used).toEqual([]);
  expect(refused).toEqual([expect.stringContaining("account shipments: a tenant's table")]);
  expect(refused[0]).toContain("SELECT id FROM shipments WHERE id = $1");
});

test("an entry allows its statement what it names, and nothing else", () => {
  const entry = allowed.find(({ statement }) => ofAnyAccount.startsWith(statement))!;
  expect(judge(ofAnyAccount)).toEqual({
    used: [usageOf(entry.statement, "account quotes")],
    refused: [],
  });
  const { refused } = judge(ofAnyAccount.replaceAll("quotes", "holds"));
  expect(refused).toEqual([expect.stringContaining("account holds")]);
});

test("an entry that no statement needed is stale, by each rule that it names", () => {
  const all = allowed.flatMap(({ statement, breaks }) =>
    breaks.map((broken) => usageOf(statement, broken)),
  );
  expect(staleEntries(new Set(all))).toEqual([]);
  const [first, ...others] = all;
  expect(staleEntries(new Set(others))).toEqual([first]);
});
