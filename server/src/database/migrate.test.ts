import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { connect } from "./connect.ts";
import { migrate, readMigrations, type MigrationFile } from "./migrate.ts";
import type { Database } from "./tables.ts";

let server: TestDatabase;
beforeAll(async () => {
  server = await testDatabase();
});
afterAll(() => server.close());

/** A database without anything in it, and another process's connection to it. */
async function emptyDatabase(): Promise<[Database, Database]> {
  const name = `waybill_${randomBytes(6).toString("hex")}`;
  await sql`CREATE DATABASE ${sql.id(name)}`.execute(server.db);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const options = { url: url.href, connections_max: 3, application_name: "test" };
  const [one, other] = [connect(options), connect(options)];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(server.db);
  });
  return [one.db, other.db];
}

const file = (name: string, text: string): MigrationFile => ({ name, text, checksum: text });
const first = file("0001_first.sql", "CREATE TABLE first (id integer)");
const second = file("0002_second.sql", "CREATE TABLE second (id integer); SELECT 1;");
const broken = file("0003_broken.sql", "CREATE TABLE third (id integer); SELECT no_such_column");

/** Which of these tests' tables exist. */
async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename IN ('first', 'second', 'third') ORDER BY 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

test("each file is applied once, in order, and later ones are applied on top", async () => {
  const [db] = await emptyDatabase();
  await migrate(db, [first]);
  await migrate(db, [first]);
  expect(await tablesOf(db)).toEqual(["first"]);
  await migrate(db, [first, second]);
  expect(await tablesOf(db)).toEqual(["first", "second"]);
});

test("processes that start together on an empty database all find it migrated", async () => {
  const [db, other] = await emptyDatabase();
  await Promise.all([db, other, db, other].map((each) => migrate(each)));
  const { rows } = await sql`SELECT name FROM migration_checksums ORDER BY name`.execute(db);
  expect(rows).toEqual(readMigrations().map(({ name }) => ({ name })));
});

test("a migration that fails leaves no trace, and a corrected one is applied", async () => {
  const [db] = await emptyDatabase();
  await migrate(db, [first]);
  await expect(migrate(db, [first, second, broken])).rejects.toThrow("no_such_column");
  expect(await tablesOf(db)).toEqual(["first", "second"]);
  await migrate(db, [first, second, file(broken.name, "CREATE TABLE third (id integer)")]);
  expect(await tablesOf(db)).toEqual(["first", "second", "third"]);
});

test("a file that was edited after it had been applied is refused, and nothing new is applied", async () => {
  const [db] = await emptyDatabase();
  await migrate(db, [first]);
  const edited = file(first.name, `${first.text} -- differently`);
  await expect(migrate(db, [edited, second])).rejects.toThrow("0001_first.sql was edited");
  expect(await tablesOf(db)).toEqual(["first"]);
});

test("a database that is newer than the code is refused", async () => {
  const [db] = await emptyDatabase();
  await migrate(db, [first, second]);
  await expect(migrate(db, [first])).rejects.toThrow("0002_second.sql");
  await expect(migrate(db, [first])).rejects.toThrow("newer than the code");
});

test("a newer schema that states its compatible release is refused to earlier ones only", async () => {
  const [db] = await emptyDatabase();
  const third = file("0003_third.sql", "-- compatible with 0002\nCREATE TABLE third (id integer)");
  await migrate(db, [first, second, third]);
  await migrate(db, [first, second]);
  await expect(migrate(db, [first])).rejects.toThrow("0002_second.sql");
});

const concurrently = file(
  "0002_index.sql",
  `-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS first_id;
-- Of a table that others write to; with a semicolon; in its comment.
CREATE INDEX CONCURRENTLY first_id ON first (id);
`,
);

test("a file without a transaction is sent one statement at a time, by one of the processes that start", async () => {
  const [db, other] = await emptyDatabase();
  await migrate(db, [first]);
  await Promise.all([db, other, db, other].map((each) => migrate(each, [first, concurrently])));
  const { rows } = await sql`SELECT indexname FROM pg_indexes WHERE tablename = 'first'`.execute(
    db,
  );
  expect(rows).toEqual([{ indexname: "first_id" }]);
});

test("a file without a transaction that fails is sent again by the next start", async () => {
  const [db] = await emptyDatabase();
  const failing = file(concurrently.name, `${concurrently.text}SELECT no_such_column;`);
  await expect(migrate(db, [first, failing])).rejects.toThrow("no_such_column");
  await migrate(db, [first, concurrently]);
  await migrate(db, [first, concurrently]);
});

test("a migration that finds its table locked lets other statements proceed, and retries", async () => {
  const [db, other] = await emptyDatabase();
  await migrate(db, [first]);
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holder = other.transaction().execute(async (tx) => {
    await sql`SELECT * FROM first`.execute(tx);
    isHeld.resolve();
    await held.promise;
  });
  await isHeld.promise;
  const altered = file("0002_altered.sql", "ALTER TABLE first ADD COLUMN more integer");
  const migrated = migrate(db, [first, altered]);
  await expect.poll(() => waiting(other), { timeout: 10_000 }).toBe(true);
  // Waits behind the migration, until that gives way.
  await sql`INSERT INTO first VALUES (1)`.execute(other);
  held.resolve();
  await Promise.all([holder, migrated]);
  expect((await sql`SELECT more FROM first`.execute(db)).rows).toEqual([{ more: null }]);
});

async function waiting(db: Database): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_locks WHERE NOT granted AND relation = 'first'::regclass`.execute(db);
  return rows.length > 0;
}

test("this release's files are numbered without a gap", () => {
  const numbers = readMigrations().map(({ name }) => Number(name.slice(0, 4)));
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
