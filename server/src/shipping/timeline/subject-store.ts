import { sql } from "kysely";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";
import type { ItemGroup } from "../../domain/timeline/describe-batch.ts";
import type { Database } from "../../database/tables.ts";

/** The SQL of what a timeline is about, with what its other rows are told by. */

/** The migration before which nothing was logged. */
const loggedSince = "0049_timeline.sql";

/** When lines of the logs were lost last, or when there began to be any. */
const lastGap = sql<Date | null>`greatest(
  (SELECT max(at) FROM request_log_gaps),
  (SELECT applied_at FROM migration_checksums WHERE name = ${loggedSince}))`;

export interface ShipmentSubject {
  created_at: Date;
  batch_id: string | null;
  batch_request_id: string | null;
  rates: CapturedRate[] | null;
  quoted_at: Date | null;
  expires_at: Date | null;
  /** The rule that asked for its label. */
  rule: { id: string; request_id: string | null } | null;
  last_gap: Date | null;
}

/** Null for a missing shipment, and for another account's. */
export async function findShipmentSubject(
  db: Database,
  accountId: string,
  id: string,
): Promise<ShipmentSubject | null> {
  const { rows } = await sql<ShipmentSubject>`
    SELECT shipments.created_at, batches.id AS batch_id, batches.request_id AS batch_request_id,
      quote.rates, quote.quoted_at, quote.expires_at,
      (SELECT jsonb_build_object('id', rule_id, 'request_id', request_id) FROM rule_runs
        WHERE account_id = ${accountId} AND subject_id = ${id} AND purchase IS NOT NULL
        ORDER BY id DESC LIMIT 1) AS rule,
      ${lastGap} AS last_gap
    FROM shipments
    LEFT JOIN batches ON batches.account_id = shipments.account_id AND batches.id = shipments.batch_id
    LEFT JOIN shipment_quotes AS quote ON quote.account_id = shipments.account_id
      AND quote.shipment_id = shipments.id
    WHERE shipments.account_id = ${accountId} AND shipments.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface OrderSubject {
  created_at: Date;
  shipment_ids: string[];
  last_gap: Date | null;
}

/** Null for a missing order, and for another account's. */
export async function findOrderSubject(
  db: Database,
  accountId: string,
  id: string,
): Promise<OrderSubject | null> {
  const { rows } = await sql<OrderSubject>`
    SELECT created_at, ${lastGap} AS last_gap, array(
      SELECT shipments.id::text FROM shipments
      WHERE shipments.account_id = ${accountId} AND shipments.order_id = ${id} LIMIT 1000) AS shipment_ids
    FROM orders WHERE account_id = ${accountId} AND id = ${id}`.execute(db);
  return rows[0] ?? null;
}

interface BatchSubject {
  id: string;
  created_at: Date;
  request_id: string | null;
  process_started_at: Date | null;
  processed_at: Date | null;
  last_gap: Date | null;
}

/** Null for a missing batch, and for another account's. */
export async function findBatchSubject(
  db: Database,
  accountId: string,
  id: string,
): Promise<BatchSubject | null> {
  const { rows } = await sql<BatchSubject>`
    SELECT id, created_at, request_id, process_started_at, processed_at, ${lastGap} AS last_gap
    FROM batches WHERE account_id = ${accountId} AND id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The items of a batch by how they ended, and those that failed by why. */
export async function countItems(
  db: Database,
  accountId: string,
  batchId: string,
): Promise<ItemGroup[]> {
  const { rows } = await sql<ItemGroup>`
    SELECT status, error ->> 'code' AS code, count(*)::int AS count,
      coalesce(sum(cost_cents), 0)::bigint AS total_cents
    FROM batch_items WHERE account_id = ${accountId} AND batch_id = ${batchId}
    GROUP BY 1, 2`.execute(db);
  return rows;
}

/** Of a request's timeline. */
export async function findLastGap(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ last_gap: Date | null }>`SELECT ${lastGap} AS last_gap`.execute(db);
  return rows[0]?.last_gap ?? null;
}
