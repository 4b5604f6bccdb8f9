import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspection } from "../../src/database/driver/inspect.ts";
import { newId } from "../../src/domain/values/ids.ts";
import type { Page } from "../../src/http/paging.ts";
import { countOrdersUpTo, listOrderTexts } from "../../src/resources/orders/list-store.ts";
import type { OrderFilters } from "../../src/resources/orders/list-orders.ts";
import { countShipmentsUpTo, listShipmentTexts } from "../../src/resources/shipments/list-store.ts";
import type { ShipmentFilters } from "../../src/resources/shipments/list-shipments.ts";
import {
  countTrackers,
  listTrackersWithEvents,
  type TrackerFilters,
} from "../../src/shipping/tracking/store.ts";
import { foundMax } from "../../src/shipping/filters/found-store.ts";
import { testDatabase, type TestDatabase } from "../setup/database.ts";

/**
 * What a page of a list reads of an account with many rows, by each filter: so many blocks and no more, whatever
 * PostgreSQL knows of the tables, and by a plan for the values as well as by one for all values.
 */

const account_id = "acc_costs";
const rowCount = 30_000;
/** As many of the oldest have a recipient that no newer row has: more than a search reads of one way. */
const oldMax = 9000;
/** A page is 26 rows, each some blocks away from an index. */
const blocksMax = 400;
/** What a search may lead to is read before the page. */
const foundBlocksMax = foundMax * 1.5;
/** Of frequent matches the newest are looked for among so many rows, and some blocks. */
const walkedBlocksMax = 1500;
/** A count reads at most the rows that page numbers reach. */
const countMax = 2000;
const countBlocksMax = 3 * countMax;

let database: TestDatabase;
let explainer: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  explainer = new pg.Client({ connectionString: database.url });
  await explainer.connect();
  const { db } = database;
  await sql`ALTER TABLE shipments SET (autovacuum_enabled = off)`.execute(db);
  await sql`ALTER TABLE orders SET (autovacuum_enabled = off)`.execute(db);
  await sql`ALTER TABLE trackers SET (autovacuum_enabled = off)`.execute(db);
  for (const fill of [filledShipments, filledOrders, filledTrackers]) {
    // By a connection without a time limit of statements.
    const { sql: text, parameters } = fill.compile(db);
    await explainer.query(text, [...parameters]);
  }
}, 120_000);
afterAll(async () => {
  await explainer.end();
  await database.close();
});

const now = Date.parse("2026-03-10T12:00:00.000Z");
const ids = Array.from({ length: rowCount }, (_row, index) =>
  newId("shp", new Date(now - (rowCount - index) * 60_000)),
);

/** What is rare has the oldest rows: the newest first, it would be found last. No shipment has an order. */
const filledShipments = sql`
    INSERT INTO shipments (account_id, id, type, status, tracking_status, ship_code, from_address, to_address,
      return_address, packages, carrier, service, reference, batch_id, order_id, tracking_code, tags, created_at,
      updated_at)
    SELECT ${account_id}, id, CASE WHEN n < 3 THEN 'ltl' ELSE 'courier' END,
      CASE WHEN n < 3 THEN 'exception' WHEN n % 2 = 0 THEN 'delivered' ELSE 'draft' END,
      CASE WHEN n < 3 THEN 'exception' WHEN n % 2 = 0 THEN 'delivered' END, 'X' || lpad(n::text, 6, '0'),
      '{"country_code": "CA"}',
      jsonb_build_object('country_code', CASE WHEN n < 3 THEN 'MX' ELSE 'CA' END, 'name',
        CASE WHEN n < 3 THEN 'Amélie Tremblay' WHEN n < ${oldMax} THEN 'Walmart ' || n % 2 ELSE 'Customer ' || n END, 'filler', repeat('x', 300)),
      '{}', '[]', CASE WHEN n < 3 THEN 'usps' WHEN n % 2 = 0 THEN 'ups' END,
      CASE WHEN n < 3 THEN 'usps.first' WHEN n % 2 = 0 THEN 'ups.standard' END, CASE WHEN n < 3 THEN 'rare' ELSE 'r' || n END,
      CASE WHEN n < 3 THEN 'bat_rare' END, CASE WHEN n < 3 THEN 'ord_rare' END, CASE WHEN n % 2 = 0 THEN '1Z' || n END,
      CASE WHEN n < 3 THEN ARRAY['rare'] WHEN n % 2 = 0 THEN ARRAY['common'] ELSE '{}' END, at, at
    FROM (SELECT id, n, to_timestamp(${now / 1000} - (${rowCount} - n::int) * 60) AS at
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;

const filledOrders = sql`
    INSERT INTO orders (account_id, id, order_number, source, status, customer, to_address, packages, currency, tags,
      placed_at, created_at, updated_at)
    SELECT ${account_id}, 'ord' || substr(id, 4), 'N-' || n, CASE WHEN n < 3 THEN 'csv' ELSE 'shopify' END,
      CASE WHEN n < 3 THEN 'on_hold' ELSE 'fulfilled' END, NULL,
      jsonb_build_object('country_code', 'CA', 'name', CASE WHEN n < 3 THEN 'Amélie Tremblay' WHEN n < ${oldMax} THEN 'Walmart ' || n % 2 ELSE 'Customer ' || n END,
        'filler', repeat('x', 300)), '[]', 'CAD', CASE WHEN n < 3 THEN ARRAY['rare'] ELSE ARRAY['common'] END, at, at, at
    FROM (SELECT id, n, to_timestamp(${now / 1000} - (${rowCount} - n::int) * 60) AS at
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;

/** Of the packages on their way, two are late and have not been scanned, and are the oldest. */
const filledTrackers = sql`
    INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, estimated_delivery_date, created_at,
      changed_at)
    SELECT ${account_id}, 'trk' || substr(id, 4), id, 'ups', '1Z' || n,
      CASE WHEN n < 3 OR n % 100 = 0 THEN 'in_transit' ELSE 'delivered' END,
      CASE WHEN n < 3 THEN '2026-03-01' ELSE '2026-03-20' END, at, CASE WHEN n < 3 THEN at ELSE to_timestamp(${now / 1000}) END
    FROM (SELECT id, n, to_timestamp(${now / 1000} - (${rowCount} - n::int) * 60) AS at
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS made (id, n)) AS rows`;

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** The statements that the work sends. */
async function sentBy(work: () => Promise<unknown>): Promise<Sent[]> {
  const { see } = inspection;
  const sent: Sent[] = [];
  inspection.see = (text, values) => {
    see?.(text, values);
    sent.push({ text, values });
  };
  try {
    await work();
  } finally {
    inspection.see = see;
  }
  return sent;
}

const plans = ["force_custom_plan", "force_generic_plan"] as const;

/** Blocks that the statement reads, planned in that way. */
async function blocksOf({ text, values }: Sent, plan: (typeof plans)[number]): Promise<number> {
  await explainer.query(`SET plan_cache_mode = ${plan}`);
  await explainer.query(`PREPARE listing AS ${text}`);
  try {
    const given = values.map(literal).join(", ");
    const { rows } = await explainer.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE listing${given && `(${given})`}`,
    );
    const [{ Plan: read }] = rows[0]!["QUERY PLAN"] as [{ Plan: Plan }];
    return read["Shared Hit Blocks"] + read["Shared Read Blocks"];
  } finally {
    await explainer.query("DEALLOCATE listing");
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(",")}}`);
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(String(value));
}

/** What each statement of the work reads is below the limit, by either plan; a search asks for a custom one. */
async function expectBelow(limit: number, work: () => Promise<unknown>): Promise<void> {
  for (const sent of await sentBy(work)) {
    const isSearch = sent.text.includes("AS of_way");
    const most = isSearch ? foundBlocksMax : isWalk(sent) ? walkedBlocksMax : limit;
    for (const plan of isSearch ? [plans[0]] : plans)
      expect(await blocksOf(sent, plan), `${plan}: ${sent.text}`).toBeLessThan(most);
  }
}

/** It looks through the newest rows, and ends after so many. */
function isWalk({ text }: Sent): boolean {
  return /LIMIT \$\d+\) AS "\w+"\s+WHERE \(starts_with/.test(text);
}

/**
 * While PostgreSQL knows nothing of a table, it believes that an account has few rows, and may sort all of them where
 * no condition has an index of its own. Autovacuum ends that within a minute.
 */
const wantStatistics = [
  "nothing",
  "parcels",
  "most codes",
  "the beginning of many names",
  "the beginning of many old names",
  "a name of many old rows",
  "the beginning of many old numbers",
  "a rare tag",
  "a tag that none has",
  "a rare tag and a rare carrier",
];

const middle = ids[rowCount / 2]!;
const first: Page = { per_page: 25, limit: 26, offset: 0, beside: null, number: null };
const pages: Page[] = [
  first,
  { ...first, beside: { id: middle, direction: "next" } },
  { ...first, beside: { id: middle, direction: "prev" } },
];
const ofKind = (kind: "ord" | "trk") => (page: Page) =>
  page.beside
    ? { ...page, beside: { ...page.beside, id: `${kind}${page.beside.id.slice(3)}` } }
    : page;
const [ofOrders, ofTrackers] = [ofKind("ord"), ofKind("trk")];

const shipments: Record<string, ShipmentFilters> = {
  nothing: {},
  "a frequent status": { status: ["draft"] },
  "a rare status": { status: ["exception"] },
  "a status that none has": { status: ["returned"] },
  "two statuses": { status: ["exception", "returned"] },
  freight: { type: ["ltl"] },
  "freight only": { ltl_only: true },
  parcels: { type: ["courier"] },
  "a rare scan": { tracking_status: ["exception"] },
  "two scans": { tracking_status: ["exception", "returned"] },
  "a rare service": { service: "usps.first" },
  "a reference": { reference: "rare" },
  "an order": { order_id: "ord_rare" },
  "a batch": { batch_id: "bat_rare" },
  "a tracking code": { tracking_code: "1Z4" },
  "a rare country": { country_code: "MX" },
  "a day": { created_from: new Date(now - 9e8), created_to: new Date(now - 8e8) },
  "days before all": { created_to: new Date("2020-01-01") },
  "days after all": { created_from: new Date("2030-01-01") },
  "a rare tag": { tag: "rare" },
  "a tag that none has": { tag: "none" },
  "one code": { q: "x000777" },
  "a few codes": { q: "x00077" },
  "most codes": { q: "x0" },
  "the beginning of a name": { q: "amelie" },
  "a family name": { q: "Tremblay" },
  "the beginning of many names": { q: "customer" },
  "the beginning of many old names": { q: "walm" },
  "a name of many old rows": { q: "Walmart 1" },
  "a text that nothing begins with": { q: "zzz" },
  "a name and a status": { q: "amelie", status: ["exception", "draft"] },
  "a rare tag and a rare carrier": { tag: "rare", carrier: "usps" },
};

const orders: Record<string, OrderFilters> = {
  nothing: {},
  "a rare status": { status: ["on_hold"] },
  "a status that none has": { status: ["cancelled"] },
  "two statuses": { status: ["on_hold", "cancelled"] },
  "a number": { order_number: "N-5000" },
  "a rare source": { source: ["csv"] },
  "two sources": { source: ["csv", "api"] },
  "a rare tag": { tag: "rare" },
  "the beginning of a number": { q: "n-500" },
  "the beginning of many old numbers": { q: "n-1" },
  "the beginning of many old names": { q: "walm" },
  "a name of many old rows": { q: "walmart 1" },
  "the beginning of a name": { q: "amelie" },
  "a family name": { q: "tremblay" },
  "a text that nothing begins with": { q: "zzz" },
  "a name and two sources": { q: "amelie", source: ["csv", "api"] },
};

const trackers: Record<string, TrackerFilters> = {
  nothing: {},
  "a frequent status": { status: ["delivered"] },
  "a rare status": { status: ["in_transit"] },
  "a shipment": { shipment_id: middle },
  "being late": { delayed: { delay: "late", now: new Date(now) } },
  "having no scan": { delayed: { delay: "not_scanned", now: new Date(now) } },
};

function casesOf<Filters>(all: Record<string, Filters>, state: string): [string, Filters][] {
  return Object.entries(all).filter(
    ([name]) => state === "analysed" || !wantStatistics.includes(name),
  );
}

describe.each(["never analysed", "analysed"])("of tables that were %s", (state) => {
  beforeAll(async () => {
    if (state === "analysed") await sql`ANALYZE shipments, orders, trackers`.execute(database.db);
  });

  test.each(casesOf(shipments, state))("shipments by %s cost a page", async (_name, filters) => {
    for (const page of pages)
      await expectBelow(blocksMax, () =>
        listShipmentTexts(database.db, { account_id, filters, page }),
      );
    await expectBelow(countBlocksMax, () =>
      countShipmentsUpTo(database.db, { account_id, filters }, countMax),
    );
  });

  test.each(casesOf(orders, state))("orders by %s cost a page", async (_name, filters) => {
    for (const page of pages.map(ofOrders))
      await expectBelow(blocksMax, () =>
        listOrderTexts(database.db, { account_id, filters, page }),
      );
    await expectBelow(countBlocksMax, () =>
      countOrdersUpTo(database.db, { account_id, filters }, countMax),
    );
  });

  test.each(casesOf(trackers, state))("packages by %s cost a page", async (_name, filters) => {
    for (const page of pages.map(ofTrackers))
      await expectBelow(blocksMax, () =>
        listTrackersWithEvents(database.db, { account_id, filters, page }),
      );
    await expectBelow(countBlocksMax, () =>
      countTrackers(database.db, account_id, { filters, most: countMax }),
    );
  });
});
