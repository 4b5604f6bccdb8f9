import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { findToBuy } from "../purchasing/labels/store.ts";
import { findQuote } from "../purchasing/quotes/store.ts";
import { findVersion } from "../automation/store.ts";
import { connect, type Connection } from "./connect.ts";

/**
 * A statement that many reads share is planned once, for any number of keys, maybe when its tables are empty.
 * It still reads only the requested ones of 100,000 rows.
 */

const account_id = "acc_plans";
const row_count = 100_000;
const keys_count = 40;
const now = new Date("2026-03-10T12:00:00.000Z");

/** When the statements were planned, and how they are executed with many rows. */
const plannings = ["for empty tables", "for unknown ones", "for known ones"] as const;
const plans = new Map<string, Plan[]>();

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  for (const table of ["shipments", "shipment_quotes", "rule_sets"])
    await sql`ALTER TABLE ${sql.table(table)} SET (autovacuum_enabled = false)`.execute(
      database.db,
    );
  const early = planned(database.url);
  await readEach(early);
  await fill();
  plans.set("for empty tables", await explainEach(early));
  const late = planned(database.url);
  await readEach(late);
  plans.set("for unknown ones", await explainEach(late));
  await sql`ANALYZE shipment_quotes, rule_sets`.execute(database.db);
  await readEach(late);
  plans.set("for known ones", await explainEach(late));
  for (const connection of [early, late]) await connection.close();
}, 60_000);
afterAll(() => database.close());

/** One connection, which plans each statement at its first execution, and for any values. */
function planned(address: string): Connection {
  const url = new URL(address);
  url.searchParams.set("options", "-c plan_cache_mode=force_generic_plan");
  return connect({ url: url.href, connections_max: 1, application_name: "test" });
}

async function readEach({ db }: Connection): Promise<void> {
  await findVersion(db, account_id);
  await findQuote(db, { account_id, id: "shp_1" }, now);
  await findToBuy(db, { account_id, id: "shp_1", now });
}

async function fill(): Promise<void> {
  const rows = sql`generate_series(1, ${row_count}::integer) AS n`;
  await sql`
    INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address,
      packages, tags, created_at, updated_at)
    SELECT ${account_id}, 'shp_' || n, 'courier', 'draft', 'X' || n, '{}', '{}', '{}', '[{}]', '{}', ${now}, ${now}
    FROM ${rows}`.execute(database.db);
  await sql`
    INSERT INTO shipment_quotes
    SELECT ${account_id}, 'shp_' || n, 1, '[]', ${now}, ${now}::timestamptz + interval '1 hour'
    FROM ${rows}`.execute(database.db);
  await sql`INSERT INTO rule_sets SELECT 'acc_' || n, 'any' FROM ${rows}`.execute(database.db);
}

interface Plan {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** How the connection executes the statements that it has planned already. */
async function explainEach({ db }: Connection): Promise<Plan[]> {
  const statements = await sql<{ name: string }>`
    SELECT name FROM pg_prepared_statements WHERE statement LIKE '%AS wanted%'`.execute(db);
  const keys = Array.from({ length: keys_count }, (_each, place) => {
    const n = (place + 1) * 2000;
    return { place, account_id: place % 2 ? account_id : `acc_${n}`, id: `shp_${n}`, now };
  });
  const all: Plan[] = [];
  for (const { name } of statements.rows) {
    const { rows } = await sql<{ "QUERY PLAN": { Plan: Plan }[] }>`
      EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)
      EXECUTE ${sql.id(name)} (${sql.lit(JSON.stringify(keys))})`.execute(db);
    all.push(rows[0]!["QUERY PLAN"][0]!.Plan);
  }
  return all;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe.each(plannings)("planned %s", (planning) => {
  test("each key is looked up by its index, and nothing else is read", () => {
    const nodes = plans.get(planning)!.flatMap(nodesOf);
    const indexes = nodes.flatMap((node) => node["Index Name"] ?? []).sort();
    expect(indexes).toEqual([
      "rule_sets_pkey",
      "rule_sets_pkey",
      "shipment_quotes_pkey",
      "shipment_quotes_pkey",
      "shipments_pkey",
    ]);
    const types = nodes.map((node) => node["Node Type"]);
    for (const whole of ["Seq Scan", "Sort", "Hash Join", "Merge Join"])
      expect(types).not.toContain(whole);
    const rowsRead = nodes.map(
      (node) =>
        (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
    );
    expect(Math.max(...rowsRead)).toBeLessThanOrEqual(2 * keys_count);
    expect(Math.max(...rowsRead)).toBeGreaterThanOrEqual(keys_count / 2);
  });
});
