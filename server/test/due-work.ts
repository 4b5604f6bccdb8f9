import { sql, type RawBuilder } from "kysely";
import type { Platform } from "../src/context.ts";
import type { Database } from "../src/database/tables.ts";
import { claimWebhooks, ofAccountAtOnce } from "../src/events/webhooks/claim.ts";
import { takeOverDue } from "../src/outbound/recovery-store.ts";
import { takePendingFiles } from "../src/purchasing/labels/pending-files-store.ts";
import { ruleQueue } from "../src/purchasing/queue/rule-queue.ts";
import * as combining from "../src/resources/batches/combine/combine-store.ts";
import * as statements from "../src/resources/billing/work-store.ts";
import * as imports from "../src/resources/imports/run-store.ts";
import { takePartsToCancel } from "../src/shipping/pickups/store.ts";
import { takeRefundsToCheck } from "../src/shipping/shipments/store.ts";
import { takeDue as takeTrackers } from "../src/shipping/tracking/follow-store.ts";

/**
 * All kinds of work that workers claim in the background: how rows of each become due, and how a worker takes
 * some.
 */

export interface DueWork {
  name: string;
  table: string;
  /** How many rows are taken at once. */
  at_once: number;
  /** The statements that make rows: from `each.n`, `each.id`, `each.account_id`, and `each.due_at`. */
  rows: readonly RawBuilder<unknown>[];
  /** One round; returns the accounts whose rows were taken. */
  take(db: Database, process_id: string): Promise<string[]>;
}

export const lease_seconds = 15;
const places = { others: 8, of: {} };
const accountsOf = (rows: readonly { account_id: string }[]) =>
  rows.map(({ account_id }) => account_id);

const shipments = sql`
  INSERT INTO shipments (account_id, id, type, status, ship_code, from_address, to_address, return_address, packages,
    tags, created_at, updated_at, carrier)
  SELECT account_id, 'shp_' || id, 'courier', 'purchased', id, '{}', '{}', '{}', '[{}]', '{}', now(), now(), 'ups'
  FROM each ON CONFLICT DO NOTHING`;

/** Each keeps its round-robin position. */
const queues = new WeakMap<Database, ReturnType<typeof ruleQueue>>();

/** Of each at most one in a process: the next one, or none. */
const one = (row: { account_id: string } | null) => (row ? [row.account_id] : []);

export const dueWork: readonly DueWork[] = [
  {
    name: "labels that rules want",
    table: "rule_purchases",
    at_once: 16,
    rows: [
      sql`INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, not_before)
        SELECT account_id, 'shp_' || id, 'run', 'rul', 'Buy', 2000, due_at FROM each`,
    ],
    async take(db, process_id) {
      const queue = queues.get(db) ?? ruleQueue({ db, process_id } as Platform);
      queues.set(db, queue);
      const taken = [];
      for (const source of await queue.list([])) taken.push(...(await queue.claim(source, 1)));
      return accountsOf(taken);
    },
  },
  {
    name: "webhooks to send to",
    table: "webhooks",
    at_once: ofAccountAtOnce,
    rows: [
      sql`INSERT INTO webhooks (account_id, id, url, types, status, since_position, due_at, created_at, updated_at)
        SELECT account_id, 'whk_' || id, 'https://hooks.example.com', '{*}', 'enabled', 0, due_at, due_at, due_at FROM each`,
    ],
    take: async (db, process_id) =>
      accountsOf(
        await claimWebhooks(db, {
          process_id,
          lease_seconds,
          room: { healthy: ofAccountAtOnce, failing: 0 },
          heldOf: () => [],
          unsure: new Set(),
        }),
      ),
  },
  {
    name: "statements to make",
    table: "statements",
    at_once: 1,
    rows: [
      sql`INSERT INTO statements (account_id, id, number, time_zone, ends_at, currency, status, after_sequence,
          through_sequence, opening_cents, closing_cents, due_at, created_at)
        SELECT account_id, 'stm_' || id, id, 'UTC', due_at, 'CAD', 'generating', 0, 0, 0, 0, due_at, due_at FROM each`,
    ],
    take: async (db, process_id) =>
      one(await statements.takeDue(db, { process_id, lease_seconds, now: new Date() })),
  },
  {
    name: "imports",
    table: "imports",
    at_once: 1,
    rows: [
      sql`INSERT INTO imports (account_id, id, format, status, row_count, processed_count, created_count, updated_count,
          error_count, taken_at, created_at)
        SELECT account_id, 'imp_' || id, 'csv', 'processing', 1, 0, 0, 0, 0, due_at, due_at FROM each`,
    ],
    take: async (db, process_id) => one(await imports.takeDue(db, { process_id, lease_seconds })),
  },
  {
    name: "batches whose labels are combined",
    table: "batches",
    at_once: 1,
    rows: [
      sql`INSERT INTO batches (account_id, id, name, status, shipment_ids, created_at, combine_at)
        SELECT account_id, 'bat_' || id, 'B', 'completed', '{}', due_at, due_at FROM each`,
    ],
    take: async (db, process_id) => one(await combining.takeDue(db, { process_id, lease_seconds })),
  },
  {
    name: "attempts to look up",
    table: "attempts",
    at_once: places.others,
    rows: [
      sql`INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, input, sent_at, look_at)
        SELECT account_id, 'att_' || id, 'top_up', 'txn_' || id, id, 'ups', 'unknown', '{}', due_at, due_at FROM each`,
    ],
    take: async (db, process_id) =>
      accountsOf(await takeOverDue(db, { process_id, lease_seconds, kinds: ["top_up"], places })),
  },
  {
    name: "refunds to ask for",
    table: "shipments",
    at_once: places.others,
    rows: [
      shipments,
      sql`UPDATE shipments SET refund_status = 'pending', refund_requested_at = due_at, refund_check_at = due_at
        FROM each WHERE shipments.account_id = each.account_id AND shipments.id = 'shp_' || each.id`,
    ],
    take: async (db) => accountsOf(await takeRefundsToCheck(db, places)),
  },
  {
    name: "labels' files to fetch",
    table: "pending_files",
    at_once: places.others,
    rows: [
      sql`INSERT INTO pending_files (account_id, shipment_id, carrier, environment, since, check_at)
        SELECT account_id, 'shp_' || id, 'ups', 'test', due_at, due_at FROM each`,
    ],
    take: async (db) => accountsOf(await takePendingFiles(db, places)),
  },
  {
    name: "pickups to cancel",
    table: "pickup_parts",
    at_once: places.others,
    rows: [
      sql`INSERT INTO pickups (account_id, id, status, shipment_ids, date, ready_time, close_time, address, contact,
          currency, created_at, updated_at)
        SELECT account_id, 'pic_' || id, 'scheduled', '{}', '2026-03-10', '09:00', '17:00', '{}', '{}', 'CAD', now(), now()
        FROM each`,
      sql`INSERT INTO pickup_parts (account_id, pickup_id, carrier, status, shipment_ids, package_count, weight_grams,
          cancel_at)
        SELECT account_id, 'pic_' || id, 'ups', 'scheduled', '{}', 1, 1, due_at FROM each`,
    ],
    take: async (db) => accountsOf(await takePartsToCancel(db, places)),
  },
  {
    name: "parcels to ask for",
    table: "trackers",
    at_once: places.others,
    rows: [
      shipments,
      sql`INSERT INTO trackers (account_id, id, shipment_id, carrier, tracking_code, status, created_at, look_at)
        SELECT account_id, 'trk_' || id, 'shp_' || id, 'ups', id, 'in_transit', due_at, due_at FROM each`,
    ],
    take: async (db) =>
      accountsOf(await takeTrackers(db, "ups", { limit: places.others, lease_seconds })),
  },
];

/** Gives each of these accounts so many rows that have been due for that long; a second less from each to the next. */
export async function addDue(
  db: Database,
  { rows }: DueWork,
  { accounts, each, seconds }: { accounts: readonly string[]; each: number; seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO accounts (account_id, organization_id, environment)
    SELECT account_id, 'org', 'test' FROM unnest(${accounts}::text[]) AS account_id ON CONFLICT DO NOTHING`.execute(
    db,
  );
  for (const statement of rows)
    await sql`
      WITH each AS (
        SELECT account_id, account_id || '_' || n AS id, now() - make_interval(secs => ${seconds} - n * 0.001) AS due_at
        FROM unnest(${accounts}::text[]) AS account_id, generate_series(1, ${each}::int) AS n)
      ${statement}`.execute(db);
}
