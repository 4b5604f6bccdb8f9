import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectedColumns, readColumns } from "../src/database/columns.ts";
import { expectedCatalogue, migrationsDigest, readCatalogue } from "../src/database/catalogue.ts";
import { testDatabase, type TestDatabase } from "../test/setup/database.ts";

/**
 * The schema distributes by account as it is (any engine that shards by a column): read from the
 * catalogue, so that it holds for tables that nobody has thought of yet.
 */

/** Tables of the platform, not of a tenant: each has its reason. */
const ofThePlatform = [
  "database_continuity",
  "denied_parties",
  "denied_party_lists",
  "device_logins",
  "hs_codes",
  "hs_tables",
  "invitations",
  "location_catalogues",
  "locations",
  "exchange_rates",
  "memberships",
  "migration_checksums",
  "one_time_links",
  "operator_tokens",
  "operators",
  "organizations",
  "processes",
  "recovery_codes",
  "request_log_gaps",
  "restores",
  "sessions",
  "users",
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

interface Key {
  table: string;
  name: string;
  columns: string[];
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`.execute(database.db);
  return rows.map(({ name }) => name);
}

async function uniqueKeys(): Promise<Key[]> {
  const { rows } = await sql<Key>`
    SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name,
      array(SELECT pg_get_indexdef(indexrelid, place, true) FROM generate_series(1, indnkeyatts) place) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT relispartition AND indisunique`.execute(
    database.db,
  );
  return rows;
}

/**
 * The indexes beside primary keys that a statement may be planned with which has no condition but the account:
 * those of a whole table, also where they say (as 0024 explains) that a column which is NOT NULL is not null.
 */
async function indexesOfWholeAccounts(): Promise<{ table: string; name: string }[]> {
  const { rows } = await sql<{ table: string; name: string }>`
    SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT relispartition AND NOT indisprimary
      AND pg_get_indexdef(indexrelid, 1, true) = 'account_id'
      AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) IN (
        SELECT format('(%I IS NOT NULL)', attname) FROM pg_attribute WHERE attrelid = indrelid AND attnotnull))
    ORDER BY name`.execute(database.db);
  return rows;
}

async function foreignKeys(): Promise<(Key & { target: string; target_columns: string[] })[]> {
  const columns = (of: "conrelid" | "confrelid", keys: "conkey" | "confkey") =>
    sql.raw(`array(SELECT attname::text FROM unnest(${keys}) WITH ORDINALITY AS key (number, place)
      JOIN pg_attribute ON attrelid = ${of} AND attnum = number ORDER BY place)`);
  const { rows } = await sql<Key & { target: string; target_columns: string[] }>`
    SELECT conrelid::regclass::text AS table, conname AS name, ${columns("conrelid", "conkey")} AS columns,
      confrelid::regclass::text AS target, ${columns("confrelid", "confkey")} AS target_columns
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`.execute(
    database.db,
  );
  return rows;
}

test("the written catalogue is what the migrations make, whatever the release of PostgreSQL", async () => {
  const { migrations, entries } = expectedCatalogue();
  expect(migrations, "a migration came or changed: npm run generate").toBe(migrationsDigest());
  expect(await readCatalogue(database.db)).toEqual(entries);
});

test("the written columns are those of the migrations, in their order", async () => {
  expect(await readColumns(database.db)).toEqual(expectedColumns());
});

const isTenants = ({ table }: { table: string }) => !ofThePlatform.includes(table);

test("every table that is not the platform's has account_id first in its primary key and unique indexes", async () => {
  const keys = await uniqueKeys();
  const tenants = (await tables()).filter((table) => isTenants({ table }));
  expect(tenants.length).toBeGreaterThan(10);
  expect(tenants.filter((table) => !keys.some((key) => key.table === table))).toEqual([]);
  expect(keys.filter(isTenants).filter(({ columns }) => columns[0] !== "account_id")).toEqual([]);
});

/** Beside the primary key, and of whole tables all the same: with why nobody takes them for a whole account. */
const ofWholeAccounts = {
  deliveries_account_id_webhook_id_event_id_key:
    "deliveries are listed by their webhook or their event",
  filters_name: "an account has few filters",
  package_presets_name: "an account has few presets",
  products_by_id: "all products of an account are listed in its order",
  statements_by_number: "an account has one statement a month",
};

test("an index beside the primary key is only for statements with a condition on more than the account", async () => {
  const indexes = (await indexesOfWholeAccounts()).filter(isTenants);
  expect(indexes.map(({ name }) => name)).toEqual(Object.keys(ofWholeAccounts));
});

test("no foreign key leads from one account's rows to another's, or to the platform's", async () => {
  const leaving = (await foreignKeys()).filter(
    ({ table, target, columns, target_columns }) =>
      isTenants({ table }) &&
      !(
        isTenants({ table: target }) &&
        columns[0] === "account_id" &&
        target_columns[0] === "account_id"
      ),
  );
  expect(leaving).toEqual([]);
});

test("a table that would break the rules is found out", async () => {
  await sql`CREATE TABLE stray (id text PRIMARY KEY, organization_id text REFERENCES organizations)`.execute(
    database.db,
  );
  const keys = await uniqueKeys();
  expect(keys.filter(({ table }) => table === "stray")).toMatchObject([{ columns: ["id"] }]);
  expect((await foreignKeys()).filter(({ table }) => table === "stray")).toMatchObject([
    { columns: ["organization_id"], target: "organizations", target_columns: ["id"] },
  ]);
  await sql`
    ALTER TABLE stray ADD account_id text NOT NULL, ADD place text NOT NULL;
    CREATE INDEX stray_by_place ON stray (account_id, place);
    CREATE INDEX stray_by_given_place ON stray (account_id, place) WHERE place IS NOT NULL;
    CREATE INDEX stray_by_organization ON stray (account_id, organization_id) WHERE organization_id IS NOT NULL`.execute(
    database.db,
  );
  const whole = (await indexesOfWholeAccounts()).filter(({ table }) => table === "stray");
  expect(whole.map(({ name }) => name)).toEqual(["stray_by_given_place", "stray_by_place"]);
  await sql`DROP TABLE stray`.execute(database.db);
});
