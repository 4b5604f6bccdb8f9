import { setImmediate as aBreath } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import type { Tx } from "./tables.ts";
import { DatabaseUnavailable } from "./errors.ts";
import { newId } from "../domain/values/ids.ts";
import { inSharedTransaction } from "./account-transaction.ts";

/** A caller that shares a transaction gets the same result as alone, and does no harm to the others. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await sql`CREATE TABLE done (account text, item text)`.execute(database.db);
});
afterAll(() => database.close());

interface Item {
  name: string;
  /** Breaks every transaction that it takes part in. */
  is_bad?: boolean;
}

/** A group of work that records its items, and waits at the gate before it does. */
function aGroupCommit() {
  const account = newId("acc");
  const groups: string[][] = [];
  let gate = Promise.resolve();
  async function work(tx: Tx, items: readonly Item[]): Promise<string[]> {
    await gate;
    groups.push(items.map(({ name }) => name));
    for (const { name } of items)
      await sql`INSERT INTO done VALUES (${account}, ${name})`.execute(tx);
    const bad = items.find(({ is_bad }) => is_bad);
    if (bad) throw new Error(`${bad.name} is bad`);
    return items.map(({ name }) => `${name} is done`);
  }
  return {
    groups,
    do: (item: Item, subject = item.name, group = "work") =>
      inSharedTransaction(database.db, account, { group, item, subject, work }),
    shut() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async done(): Promise<string[]> {
      const { rows } = await sql<{ item: string }>`
        SELECT item FROM done WHERE account = ${account} ORDER BY item`.execute(database.db);
      return rows.map(({ item }) => item);
    },
  };
}

const named = (...names: string[]): Item[] => names.map((name) => ({ name }));

test("items that arrive together, and items that arrive while those are processed, share a transaction each", async () => {
  const commit = aGroupCommit();
  const open = commit.shut();
  const first = named("a", "b").map((item) => commit.do(item));
  await aBreath();
  const second = named("c", "d", "e").map((item) => commit.do(item));
  open();
  expect(await Promise.all([...first, ...second])).toEqual(
    ["a", "b", "c", "d", "e"].map((name) => `${name} is done`),
  );
  expect(commit.groups).toEqual([
    ["a", "b"],
    ["c", "d", "e"],
  ]);
  expect(await commit.done()).toEqual(["a", "b", "c", "d", "e"]);
});

test("an item that fails does so alone, with its own error, and the others succeed once", async () => {
  const commit = aGroupCommit();
  const items: Item[] = [{ name: "a" }, { name: "b", is_bad: true }, { name: "c" }];
  const ends = await Promise.allSettled(items.map((item) => commit.do(item)));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(ends[1]).toMatchObject({ reason: { message: "b is bad" } });
  expect(await commit.done()).toEqual(["a", "c"]);
});

test("items that conflict with each other in one transaction run alone", async () => {
  const served: string[][] = [];
  const work = async (_tx: Tx, items: readonly string[]) => {
    if (items.length > 1) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    served.push([...items]);
    return items;
  };
  const account = newId("acc");
  const want = (item: string) =>
    inSharedTransaction(database.db, account, { group: "work", subject: item, item, work });
  expect(await Promise.all(["a", "b", "c"].map(want))).toEqual(["a", "b", "c"]);
  expect(served.flat().sort()).toEqual(["a", "b", "c"]);
});

test("two items of one subject never share, and neither do two kinds", async () => {
  const commit = aGroupCommit();
  await Promise.all([
    commit.do({ name: "a" }, "one"),
    commit.do({ name: "b" }, "one"),
    commit.do({ name: "c" }, "two"),
    commit.do({ name: "d" }, "three", "other work"),
  ]);
  expect(commit.groups.map((group) => group.join("")).sort()).toEqual(["ac", "b", "d"]);
});

test("a database that becomes unavailable is reported to every caller that shares or waits, each with its own error", async () => {
  const account = newId("acc");
  const open = Promise.withResolvers<void>();
  let calls = 0;
  const work = async (): Promise<never> => {
    calls++;
    await open.promise;
    throw new DatabaseUnavailable("the connection broke", { may_have_run: true });
  };
  const want = (subject: string) =>
    inSharedTransaction(database.db, account, { group: "work", item: null, subject, work }).catch(
      (error: unknown) => error,
    );
  const [a, b] = [want("a"), want("b")];
  await aBreath();
  const late = want("c");
  open.resolve();
  const errors = (await Promise.all([a, b, late])) as DatabaseUnavailable[];
  for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(new Set(errors).size).toBe(3);
  // The first two may have been carried out; the third was not begun.
  expect(errors.map(({ may_have_run }) => may_have_run)).toEqual([true, true, false]);
  expect(calls).toBe(1);
});

test("each caller gets its own result, whatever the order of arrival, and each item is executed once", async () => {
  const comer = fc.record({
    subject: fc.constantFrom("p", "q", "r", "s", "t", "u"),
    is_bad: fc.boolean(),
    waits: fc.nat({ max: 3 }),
  });
  const property = fc.asyncProperty(fc.array(comer, { maxLength: 14 }), async (comers) => {
    const commit = aGroupCommit();
    const ends = await Promise.all(
      comers.map(async ({ subject, is_bad, waits }, place) => {
        for (let turn = 0; turn < waits; turn++) await aBreath();
        const item = { name: `${place}`, is_bad };
        return commit.do(item, subject).catch((error: unknown) => (error as Error).message);
      }),
    );
    expect(ends).toEqual(
      comers.map(({ is_bad }, place) => (is_bad ? `${place} is bad` : `${place} is done`)),
    );
    const good = comers.flatMap(({ is_bad }, place) => (is_bad ? [] : [`${place}`]));
    expect(await commit.done()).toEqual(good.sort());
  });
  await fc.assert(property, { numRuns: 40 });
});

test("items that share a transaction are executed in the order of their subjects, not of their arrival", async () => {
  const commit = aGroupCommit();
  const open = commit.shut();
  const first = commit.do({ name: "first" });
  await aBreath();
  const others = ["c", "a", "d", "b"].map((name) => commit.do({ name }));
  open();
  await Promise.all([first, ...others]);
  expect(commit.groups).toEqual([["first"], ["a", "b", "c", "d"]]);
});
