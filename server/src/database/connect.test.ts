import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { connect, inTransaction, isConnectionLost, isUniqueViolation } from "./connect.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const organization = (id: string) => ({ id, name: "Acme", owner_email: "ops@acme.example" });

test("inside a transaction the outer handle refuses to work, and the transaction is undone", async () => {
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

test("two transactions side by side do not take each other's handle for their own", async () => {
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
    }>`SELECT count(*)::int FROM pg_prepared_statements WHERE statement LIKE '%owner_email%' AND statement LIKE 'select%'`.execute(
      tx,
    );
  });
  expect(rows).toEqual([{ count: 1 }]);
});

test("a whole number beyond what a number holds is refused, not rounded", async () => {
  const read = sql`SELECT 9007199254740993::bigint AS big`.execute(database.db);
  await expect(read).rejects.toThrow("too large");
});

test("a second row with the same key is told from other failures", async () => {
  const insert = () =>
    database.db.insertInto("organizations").values(organization("org_twice")).execute();
  await insert();
  const error: unknown = await insert().catch((failure: unknown) => failure);
  expect(isUniqueViolation(error, "organizations_pkey")).toBe(true);
  expect(isUniqueViolation(error, "another_key")).toBe(false);
  expect(isConnectionLost(error)).toBe(false);
});

test.each([
  ["nobody listens", (url: URL) => (url.port = "9")],
  ["the database is not there", (url: URL) => (url.pathname = "/no_such_database")],
])("when %s, the database counts as away", async (_name, spoil) => {
  const url = new URL(database.url);
  spoil(url);
  const { db, close } = connect({ url: url.href, connections_max: 1, application_name: "test" });
  const error: unknown = await sql`SELECT 1`.execute(db).catch((failure: unknown) => failure);
  expect(isConnectionLost(error)).toBe(true);
  await close();
});

test("a connection that the server cuts counts as lost, and the next statement gets a new one", async () => {
  const { db, close } = connect({ url: database.url, connections_max: 1, application_name: "cut" });
  const cut = sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db);
  const error: unknown = await cut.catch((failure: unknown) => failure);
  expect(isConnectionLost(error)).toBe(true);
  const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
  await close();
});
