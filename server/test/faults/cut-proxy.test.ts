import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect, inTransaction } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/tables.ts";
import { isUnavailable } from "../../src/database/errors.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";
import { aCutProxy, commitOf, type CutProxy } from "./cut-proxy.ts";

/** Tests of the tool for database faults itself: a cut that cuts nothing would prove nothing. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await sql`CREATE TABLE marks (name text)`.execute(database.db);
});
afterAll(() => database.close());

/** The database through a proxy of the test's own. */
async function throughAProxy(): Promise<{ proxy: CutProxy; db: Database }> {
  const proxy = await aCutProxy(database.url);
  onTestFinished(() => proxy.close());
  const { db, close } = connect({ url: proxy.url, connections_max: 2, application_name: "cut" });
  onTestFinished(close);
  return { proxy, db };
}

function mark(db: Database, name: string): Promise<unknown> {
  return inTransaction(db, (tx) => sql`INSERT INTO marks VALUES (${name})`.execute(tx));
}

async function isMarked(name: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM marks WHERE name = ${name}`.execute(database.db);
  return rows.length > 0;
}

test.each([
  { lost: "answer", name: "unheard", isThere: true },
  { lost: "statement", name: "unsaid", isThere: false },
] as const)("a commit whose $lost is lost fails, and is there: $isThere", async (cut) => {
  const { proxy, db } = await throughAProxy();
  // Statements are named from the second time on a connection; the proxy recognises both forms.
  await mark(db, `before ${cut.name}`);
  const struck = proxy.cutAt(commitOf(/insert into marks/i, cut.lost));
  const error: unknown = await mark(db, cut.name).catch((failure: unknown) => failure);
  await struck;
  expect(isUnavailable(error)).toBe(true);
  expect(await isMarked(cut.name)).toBe(cut.isThere);
  await mark(db, `after ${cut.name}`);
});

test("a cut waits for its transaction", async () => {
  const { proxy, db } = await throughAProxy();
  const struck = proxy.cutAt(commitOf(/select 'the one'/i, "answer"));
  await mark(db, "another");
  const work = inTransaction(db, (tx) => sql`SELECT 'the one'`.execute(tx));
  await expect(work).rejects.toThrow();
  await struck;
});

test("connections are reset, and severed ones stay unavailable until they are mended", async () => {
  const { proxy, db } = await throughAProxy();
  const sleeping = sql`SELECT pg_sleep(60)`.execute(db).catch((failure: unknown) => failure);
  await expect.poll(() => countBackends()).toBe(1);
  proxy.sever();
  expect(isUnavailable(await sleeping)).toBe(true);
  await expect(mark(db, "severed")).rejects.toThrow();
  proxy.mend();
  await mark(db, "mended");
  expect(await isMarked("severed")).toBe(false);
});

test("a stalled connection transfers nothing, and continues where it was", async () => {
  const { proxy, db } = await throughAProxy();
  await mark(db, "flowing");
  proxy.stall();
  const work = mark(db, "stalled");
  expect(await isMarked("stalled")).toBe(false);
  proxy.mend();
  await work;
  expect(await isMarked("stalled")).toBe(true);
});

async function countBackends(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'`.execute(database.db);
  return rows[0]!.count;
}
