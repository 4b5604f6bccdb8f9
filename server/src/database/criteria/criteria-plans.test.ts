import { Kysely, PostgresDialect, sql, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import type { SubjectKind } from "../../domain/criteria/fields.ts";
import type { Condition } from "../../domain/criteria/schema.ts";
import { newId, type IdPrefix } from "../../domain/values/ids.ts";
import { listOrders } from "../../resources/orders/list-store.ts";
import { countShipmentsUpTo, listShipments } from "../../resources/shipments/list-store.ts";
import { connect } from "../connect.ts";
import type { Database, Tables } from "../tables.ts";

/** With 100,000 rows a filtered list reads an index on which the filter's values are selective. */

const account_id = "acc_plans";
const now = new Date("2026-03-10T12:00:00.000Z");
const row_count = 100_000;
const context = { account_id, now, currency: "CAD", home_country: "CA" };

let database: TestDatabase;
let explained: Explained;
beforeAll(async () => {
  database = await testDatabase();
  await sql`
    INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
      tags, created_at, updated_at)
    SELECT ${account_id}, id, 'courier',
      CASE WHEN n % 2000 = 0 THEN 'exception' WHEN n % 10 = 0 THEN 'draft' ELSE 'delivered' END, 'X' || n,
      '{"country_code": "CA"}', to_address, '{}', packages, tags, created_at, created_at
    FROM ${rowsOf("shp")}`.execute(database.db);
  await sql`
    INSERT INTO orders (account_id, id, order_number, source, status, to_address, packages, currency, tags, placed_at,
      created_at, updated_at)
    SELECT ${account_id}, id, n, CASE WHEN n % 2000 = 3 THEN 'csv' ELSE 'shopify' END,
      CASE WHEN n % 2000 = 0 THEN 'on_hold' WHEN n % 10 = 0 THEN 'unfulfilled' ELSE 'fulfilled' END,
      to_address, packages, 'CAD', tags, created_at, created_at, created_at
    FROM ${rowsOf("ord")}`.execute(database.db);
  await sql`ANALYZE shipments, orders`.execute(database.db);
  explained = explaining(database.url);
});
afterAll(async () => {
  await explained.db.destroy();
  await database.close();
});

const ids = Array.from({ length: row_count }, (_row, index) =>
  newId("shp", new Date(now.getTime() - (row_count - index - 1) * 60_000)),
);

/**
 * One in 2,000 goes to Mexico, is unusual, or is fragile; most are domestic, done and old. One per minute.
 */
function rowsOf(prefix: IdPrefix) {
  return sql`(
    SELECT ${prefix} || substr(id, 4) AS id, n, '[{"weight": 1, "weight_unit": "kg"}]'::jsonb AS packages,
      jsonb_build_object('country_code', CASE WHEN n % 2000 = 1 THEN 'MX' WHEN n % 5 = 0 THEN 'US' ELSE 'CA' END,
        'city', 'Ottawa') AS to_address,
      CASE WHEN n % 2000 = 2 THEN ARRAY['fragile', 'common'] WHEN n % 2 = 0 THEN ARRAY['Common'] ELSE '{}' END AS tags,
      ${now}::timestamptz - make_interval(mins => ${row_count} - n::int) AS created_at
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;
}

interface Plan {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

interface Explained {
  db: Database;
  /** Of every statement since the last call, executed with its values. */
  plans: Plan[];
}

/** A handle that returns the plan of a statement, in place of its rows. */
function explaining(url: string): Explained {
  const server = new pg.Pool({ connectionString: url, max: 1 });
  // Its database may be dropped before its connection has closed.
  server.on("error", () => undefined);
  const plans: Plan[] = [];
  const client: PostgresPoolClient = {
    query: (async (text: string, values: unknown[]) => {
      if (/^(begin|commit|rollback)$|set_config/.test(text))
        return { command: "", rowCount: 0, rows: [] };
      const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`;
      const { rows } = await server.query<{ "QUERY PLAN": { Plan: Plan }[] }>(explain, values);
      plans.push(rows[0]!["QUERY PLAN"][0]!.Plan);
      return { command: "SELECT", rowCount: 1, rows: [{ count: 0 }] };
    }) as unknown as PostgresPoolClient["query"],
    release: () => undefined,
  };
  const pool = { options: {}, connect: async () => client, end: () => server.end() };
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Database;
  return { db, plans };
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

const page = { per_page: 25, limit: 26, offset: 0, beside: null, number: null };

/** The indexes that a first page with these conditions reads. */
async function reads(kind: SubjectKind, match: "all" | "any", ...conditions: Condition[]) {
  const saved = { criteria: { match, conditions }, context, timeout_ms: 10_000 };
  explained.plans.length = 0;
  await lists[kind](explained.db, { account_id, filters: { saved }, page });
  const nodes = explained.plans.flatMap(nodesOf);
  const touched = nodes.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  return {
    types: nodes.map((node) => node["Node Type"]),
    indexes: nodes.flatMap((node) => node["Index Name"] ?? []),
    rows: Math.max(...touched),
  };
}

const lists = { shipments: listShipments, orders: listOrders };

const to = "to_address.country_code";
const day = "2026-01-02";
const rare: Record<SubjectKind, [index: string, Condition][]> = {
  shipments: [
    ["shipments_by_country", { field: to, operator: "eq", value: "MX" }],
    ["shipments_by_country", { field: to, operator: "in", value: ["MX", "FR"] }],
    ["shipments_by_status", { field: "status", operator: "eq", value: "exception" }],
    ["shipments_by_status", { field: "status", operator: "in", value: ["exception", "returned"] }],
    ["shipments_by_tag", { field: "tags", operator: "contains", value: "Fragile" }],
    ["shipments_by_tag", { field: "tags", operator: "in", value: ["fragile", "rare"] }],
    ["shipments_pkey", { field: "created_at", operator: "between", value: [day, day] }],
    ["shipments_pkey", { field: "age_hours", operator: "gt", value: row_count / 60 - 3 }],
  ],
  orders: [
    ["orders_by_country", { field: to, operator: "eq", value: "MX" }],
    ["orders_by_status", { field: "status", operator: "eq", value: "on_hold" }],
    ["orders_by_source", { field: "source", operator: "eq", value: "csv" }],
    ["orders_by_tag", { field: "tags", operator: "contains", value: "Fragile" }],
    ["orders_pkey", { field: "created_at", operator: "between", value: [day, day] }],
    ["orders_by_day", { field: "age_hours", operator: "gt", value: row_count / 60 - 3 }],
  ],
};

const common: Record<SubjectKind, Condition[]> = {
  shipments: [
    { field: to, operator: "eq", value: "CA" },
    { field: to, operator: "in", value: ["CA", "US"] },
    { field: to, operator: "neq", value: "CA" },
    { field: "status", operator: "eq", value: "delivered" },
    { field: "tags", operator: "contains", value: "common" },
    { field: "age_hours", operator: "gt", value: 1 },
    { field: "total_weight", operator: "gt", value: { value: 1, unit: "lbs" } },
    { field: "to_address.city", operator: "starts_with", value: "OTT" },
  ],
  orders: [
    { field: to, operator: "eq", value: "CA" },
    { field: "source", operator: "eq", value: "shopify" },
    { field: "tags", operator: "contains", value: "common" },
    { field: "placed_at", operator: "gte", value: day },
    { field: "items.sku", operator: "not_exists" },
  ],
};

describe.each(["shipments", "orders"] as const)("of %s", (kind) => {
  test.each(rare[kind])("few rows are found by %s: %j", async (index, condition) => {
    const read = await reads(kind, "all", condition);
    expect(read.indexes).toContain(index);
    expect(read.types).not.toContain("Seq Scan");
    expect(read.rows).toBeLessThan(2000);
  });

  test.each(common[kind])("many rows are read in the order of the list: %j", async (condition) => {
    const read = await reads(kind, "all", condition);
    expect(read.types).not.toContain("Seq Scan");
    expect(read.types).not.toContain("Sort");
    expect(read.rows).toBeLessThan(1000);
  });

  test("few rows are found among conditions without an index", async () => {
    const heavy = { value: 1, unit: "lbs" };
    const read = await reads(
      kind,
      "all",
      { field: "total_weight", operator: "gt", value: heavy },
      { field: to, operator: "eq", value: "MX" },
    );
    expect([read.indexes, read.rows < 2000]).toEqual([[`${kind}_by_country`], true]);
  });

  test("rows that are few by either of two conditions are found by both indexes", async () => {
    const read = await reads(
      kind,
      "any",
      { field: "tags", operator: "contains", value: "fragile" },
      { field: to, operator: "eq", value: "MX" },
    );
    expect(read.indexes.sort()).toEqual([`${kind}_by_country`, `${kind}_by_tag`]);
  });
});

test("such a statement is planned anew each time, and its count is limited", async () => {
  const condition: Condition = { field: "status", operator: "eq", value: "delivered" };
  const saved = {
    criteria: { match: "all" as const, conditions: [condition] },
    context,
    timeout_ms: 10_000,
  };
  const { db, close } = connect({
    url: database.url,
    connections_max: 1,
    application_name: "one connection",
  });
  onTestFinished(close);
  const prepared = async () => {
    const { rows } = await sql`
      SELECT FROM pg_prepared_statements WHERE statement LIKE ${"%shipments%"}`.execute(db);
    return rows.length;
  };
  const found = await listShipments(db, { account_id, filters: { saved }, page });
  expect([
    found.length,
    await countShipmentsUpTo(db, { account_id, filters: { saved } }, 1000),
  ]).toEqual([26, 1000]);
  expect(await prepared()).toBe(0);
  await listShipments(db, { account_id, filters: { status: ["delivered"] }, page });
  expect(await prepared()).toBe(1);
});
