import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testDatabase, throughPort, type TestDatabase } from "../../test/setup/database.ts";
import { connect, inTransaction, isCheckViolation, isUniqueViolation } from "./connect.ts";
import type { Database, Tx } from "./tables.ts";
import { isUnavailable } from "./errors.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const organization = (id: string) => ({ id, name: "Acme", owner_email: "ops@acme.example" });

test("inside a transaction the outer handle refuses to work, and the transaction is rolled back", async () => {
  const { db } = database;
  const work = inTransaction(db, async (tx) => {
    await tx.insertInto("organizations").values(organization("org_outer")).execute();
    await db.selectFrom("organizations").selectAll().execute();
  });
  await expect(work).rejects.toThrow("inside a transaction");
  const rows = await db
    .selectFrom("organizations")
    .where("id", "=", "org_outer")
    .selectAll()
    .execute();
  expect(rows).toEqual([]);
});

test("work started by a transaction may use the database once the transaction is over", async () => {
  const { db } = database;
  const over = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  await inTransaction(db, async () => {
    late = over.promise.then(() => sql`SELECT 1`.execute(db));
  });
  over.resolve();
  await expect(late).resolves.toBeDefined();
});

test("two concurrent transactions do not confuse their handles", async () => {
  const { db } = database;
  await Promise.all(
    ["org_one", "org_two"].map((id) =>
      inTransaction(db, (tx) => tx.insertInto("organizations").values(organization(id)).execute()),
    ),
  );
  const rows = await db
    .selectFrom("organizations")
    .where("id", "in", ["org_one", "org_two"])
    .selectAll()
    .execute();
  expect(rows).toHaveLength(2);
});

test("statements with parameters are prepared once and run by name", async () => {
  const { db } = database;
  const { rows } = await inTransaction(db, async (tx) => {
    for (const id of ["a", "b"]) {
      await tx.selectFrom("organizations").where("owner_email", "=", id).selectAll().execute();
    }
    return sql<{
      count: number;
    }>`SELECT count(*)::int FROM pg_prepared_statements WHERE statement LIKE '%where "owner_email"%' AND statement LIKE 'select%'`.execute(
      tx,
    );
  });
  expect(rows).toEqual([{ count: 1 }]);
});

test("an integer beyond the safe range is refused, not rounded", async () => {
  const read = sql`SELECT 9007199254740993::bigint AS big`.execute(database.db);
  await expect(read).rejects.toThrow("too large");
});

test("a unique violation is distinguished from other failures", async () => {
  const insert = () =>
    database.db.insertInto("organizations").values(organization("org_twice")).execute();
  await insert();
  const error: unknown = await insert().catch((failure: unknown) => failure);
  expect(isUniqueViolation(error, "organizations_pkey")).toBe(true);
  expect(isUniqueViolation(error, "another_key")).toBe(false);
  expect(isUnavailable(error)).toBe(false);
});

test("a CHECK violation is identified by the constraint's name", async () => {
  const { db } = database;
  const overdraw = sql`INSERT INTO balances (account_id, currency, balance_cents) VALUES ('acc_poor', 'CAD', -1)`;
  const error: unknown = await overdraw.execute(db).catch((failure: unknown) => failure);
  expect(isCheckViolation(error, "available_is_never_negative")).toBe(true);
  expect(isCheckViolation(error, "another_check")).toBe(false);
  expect(isUniqueViolation(error)).toBe(false);
});

test("values arrive as the types that rows are declared with", async () => {
  const { rows } = await sql`SELECT 12::bigint AS cents, '\\x00ff'::bytea AS bytes,
    '2026-01-02T03:04:05.678Z'::timestamptz AS at, '[{"a": 1}]'::jsonb AS list`.execute(
    database.db,
  );
  expect(rows).toEqual([
    {
      cents: 12,
      bytes: Buffer.from([0, 255]),
      at: new Date("2026-01-02T03:04:05.678Z"),
      list: [{ a: 1 }],
    },
  ]);
});

describe("a statement that was prepared before a newer release added a column", () => {
  let table = 0;

  /** A connection that has prepared the statement, and a table that has changed since. */
  async function overtaken() {
    const name = sql.table(`overtaken_${++table}`);
    await sql`CREATE TABLE ${name} (id integer)`.execute(database.db);
    const { db, close } = connect({ url: database.url, connections_max: 1, application_name: "t" });
    onTestFinished(close);
    const read = (handle: Database | Tx) =>
      sql`SELECT * FROM ${name} WHERE id > ${0}`.execute(handle);
    await read(db);
    await sql`ALTER TABLE ${name} ADD COLUMN added integer`.execute(database.db);
    await sql`INSERT INTO ${name} VALUES (1, 2)`.execute(database.db);
    return { db, read };
  }

  test("is run all the same", async () => {
    const { db, read } = await overtaken();
    expect((await read(db)).rows).toEqual([{ id: 1, added: 2 }]);
    expect((await read(db)).rows).toHaveLength(1);
  });

  test("makes a transaction be retried soon, which then succeeds", async () => {
    const { db, read } = await overtaken();
    const work = () => inTransaction(db, (tx) => read(tx));
    const error: unknown = await work().catch((failure: unknown) => failure);
    expect(isUnavailable(error)).toBe(true);
    expect((await work()).rows).toHaveLength(1);
  });
});

test.each([
  ["no server listens to the socket", (url: URL) => (url.port = "9")],
  ["no server listens to the port", (url: URL) => (url.href = throughPort(url.href, 9))],
  ["there is no folder of a socket", (url: URL) => url.searchParams.set("host", "/nowhere")],
  ["the database is not there", (url: URL) => (url.pathname = "/no_such_database")],
])("when %s, the database counts as unavailable", async (_name, spoil) => {
  const url = new URL(database.url);
  spoil(url);
  const { db, close } = connect({ url: url.href, connections_max: 1, application_name: "test" });
  const error: unknown = await sql`SELECT 1`.execute(db).catch((failure: unknown) => failure);
  expect(isUnavailable(error)).toBe(true);
  await close();
});

test("a connection that the server cuts counts as lost, and the next statement gets a new one", async () => {
  const { db, close } = connect({ url: database.url, connections_max: 1, application_name: "cut" });
  const cut = sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db);
  const error: unknown = await cut.catch((failure: unknown) => failure);
  expect(isUnavailable(error)).toBe(true);
  const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
  await close();
});

test("a server that accepts a connection and ends it at once ends no more than that", async () => {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const breath = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("Z", Buffer.from("I")),
    message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0")),
  ]);
  const server = createServer((socket) => socket.once("data", () => socket.end(breath)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `postgres://waybill@127.0.0.1:${port}/waybill`;
  const { db, close } = connect({ url, connections_max: 1, application_name: "t" });
  const error: unknown = await sql`SELECT 1`.execute(db).catch((failure: unknown) => failure);
  expect(isUnavailable(error)).toBe(true);
  await close();
});
