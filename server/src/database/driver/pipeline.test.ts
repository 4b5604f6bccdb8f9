import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { connect, inTransaction, type Connection } from "../connect.ts";
import { withCommit, pipelined } from "./sending.ts";
import type { Database, Tx } from "../tables.ts";
import { isRefused, refuse } from "../refusals.ts";

/**
 * Statements in one round trip have the same effect as if each had waited for the one before it. Every test
 * runs on one connection, first with nothing prepared on it, and then with everything prepared, for one round
 * trip.
 */

let database: TestDatabase;
let connection: Connection;
let db: Database;
/** Sees only what is committed. */
let other: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  const { url } = database;
  connection = connect({ url, connections_max: 1, application_name: "one connection" });
  db = connection.db;
  other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("CREATE TABLE notes (word text PRIMARY KEY)");
});
afterAll(async () => {
  await other.end();
  await connection.close();
  await database.close();
});
beforeEach(async () => {
  await other.query("DELETE FROM notes");
});

const noting = (word: string) => sql`INSERT INTO notes VALUES (${word})`;
const note = (handle: Database | Tx, word: string) => noting(word).execute(handle);
const noteAlong = (handle: Database | Tx, word: string) => pipelined(noting(word)).execute(handle);

const noteAndCommit = (
  handle: Database | Tx,
  { word, unless }: { word: string; unless: boolean },
) =>
  withCommit(sql<{ word: string }>`
    WITH noted AS (INSERT INTO notes VALUES (${word}) RETURNING word)
    SELECT word FROM noted WHERE NOT ${unless}::boolean OR ${refuse("nothing_posted")}`).execute(
    handle,
  );

async function notes(): Promise<string[]> {
  const { rows } = await other.query<{ word: string }>("SELECT word FROM notes ORDER BY word");
  return rows.map(({ word }) => word);
}

async function prepareAll(): Promise<void> {
  await inTransaction(db, async (tx) => {
    await noteAlong(tx, "prepared");
    await note(tx, "too");
    await noteAndCommit(tx, { word: "all", unless: false });
  });
  await other.query("DELETE FROM notes");
}

for (const [when, before] of [
  ["on a new connection", async () => undefined],
  ["on one that has prepared everything", prepareAll],
] as const) {
  test(`what is pipelined and what commits with it are executed, in order, ${when}`, async () => {
    await before();
    const seen = await inTransaction(db, async (tx) => {
      await noteAlong(tx, "first");
      const { rows } = await noteAndCommit(tx, { word: "last", unless: false });
      return { rows, notes: await notes() };
    });
    expect(seen).toEqual({ rows: [{ word: "last" }], notes: ["first", "last"] });
  });

  test(`what is pipelined without a statement after it is sent with the commit, ${when}`, async () => {
    await before();
    await inTransaction(db, (tx) => noteAlong(tx, "alone"));
    expect(await notes()).toEqual(["alone"]);
  });

  test(`a last statement that fails commits nothing, and the connection stays usable, ${when}`, async () => {
    await before();
    const refused = inTransaction(db, async (tx) => {
      await note(tx, "before");
      await noteAlong(tx, "along");
      await noteAndCommit(tx, { word: "refused", unless: true });
    });
    expect(isRefused(await refused.catch((error: unknown) => error), "nothing_posted")).toBe(true);
    expect(await notes()).toEqual([]);
    await inTransaction(db, (tx) => note(tx, "next"));
    expect(await notes()).toEqual(["next"]);
  });

  test(`where what is pipelined fails, nothing after it is executed, ${when}`, async () => {
    await before();
    await note(db, "taken");
    const failed = inTransaction(db, async (tx) => {
      await noteAlong(tx, "taken");
      await noteAndCommit(tx, { word: "after", unless: false });
    });
    await expect(failed).rejects.toThrow("duplicate key");
    const failedAtTheEnd = inTransaction(db, (tx) => noteAlong(tx, "taken"));
    await expect(failedAtTheEnd).rejects.toThrow("duplicate key");
    expect(await notes()).toEqual(["taken"]);
  });

  test(`work that throws drops what was still to be sent, ${when}`, async () => {
    await before();
    const thrown = inTransaction(db, async (tx) => {
      await noteAlong(tx, "unsent");
      throw new Error("abandoned by the test");
    });
    await expect(thrown).rejects.toThrow("abandoned by the test");
    await inTransaction(db, (tx) => note(tx, "next"));
    expect(await notes()).toEqual(["next"]);
  });

  test(`a value that cannot be serialized leaves nothing half done, ${when}`, async () => {
    await before();
    const circular: Record<string, unknown> = {};
    circular["itself"] = circular;
    const failed = inTransaction(db, async (tx) => {
      await noteAlong(tx, "along");
      await noteAndCommit(tx, { word: circular as never, unless: false });
    });
    await expect(failed).rejects.toThrow();
    expect(await notes()).toEqual([]);
    await inTransaction(db, (tx) => note(tx, "next"));
    expect(await notes()).toEqual(["next"]);
  });
}

test("nothing can come after a statement that commits with it", async () => {
  const late = inTransaction(db, async (tx) => {
    await noteAndCommit(tx, { word: "last", unless: false });
    await note(tx, "late");
  });
  await expect(late).rejects.toThrow("nothing may come after");
  expect(await notes()).toEqual(["last"]);
});

test("outside a transaction each statement is sent by itself", async () => {
  await noteAlong(db, "along");
  await noteAndCommit(db, { word: "last", unless: false });
  expect(await notes()).toEqual(["along", "last"]);
});

test("a transaction of prepared statements is as many round trips as it waits for results", async () => {
  await prepareAll();
  const syncs = vi.spyOn(pg.Connection.prototype, "sync");
  onTestFinished(() => syncs.mockRestore());
  await inTransaction(db, async (tx) => {
    await noteAlong(tx, "one");
    await note(tx, "two");
    await noteAlong(tx, "three");
    await noteAndCommit(tx, { word: "four", unless: false });
  });
  expect(syncs).toHaveBeenCalledTimes(2);
  expect(await notes()).toEqual(["four", "one", "three", "two"]);
});
