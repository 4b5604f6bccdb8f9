import { sql, type Selectable } from "kysely";
import { isReconciled } from "../../database/health/restores.ts";
import { columnsOf } from "../../database/columns.ts";
import * as claims from "../../database/leases/claimed-rows.ts";
import { rowsOf } from "../../database/rows.ts";
import type { AttemptStatus, BatchItemsTable, Database, Tx } from "../../database/tables.ts";
import type { Failure } from "../../outbound/operation.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import type { BatchRow } from "../../shipping/batches/store.ts";
import type { Ended, QueueSource } from "./queue.ts";

/**
 * The SQL of items on their way through `itemTransitions`. A claim names its process, whose heartbeat is the
 * lease; only the process that has it ends it, or another one when that is dead. Conditions of partial
 * indexes are literals, because the planner cannot use a parameter for them.
 */

const items: claims.ClaimedRows = {
  table: "batch_items",
  key: ["batch_id", "shipment_id"],
  lost: "item_lost",
};

export type ItemRow = Selectable<BatchItemsTable>;
type ItemKey = Pick<ItemRow, "account_id" | "batch_id" | "shipment_id">;

/** A batch that is being processed, and for whom. */
export interface Run extends QueueSource {
  batch_id: string;
  service: string | null;
  label_format: BatchRow["label_format"];
  label_size: BatchRow["label_size"];
  /** The origin of the request to process it. */
  actor: string | null;
  request_id: string | null;
}

/**
 * Every batch that is being processed, except those of suspended accounts; none while a restored database is
 * not reconciled: then nothing may be bought.
 */
export async function listRuns(db: Database): Promise<Run[]> {
  const { rows } = await sql<Run>`
    SELECT batches.account_id, batches.id AS batch_id, service, label_format, label_size, actor, request_id,
      EXISTS (
        SELECT FROM batch_items AS item
        WHERE item.account_id = batches.account_id AND item.batch_id = batches.id AND item.status = 'waiting'
          AND (not_before IS NULL OR not_before <= now())) AS has_waiting,
      to_jsonb(accounts) AS account
    FROM batches JOIN accounts ON accounts.account_id = batches.account_id
    WHERE batches.status = 'processing' AND accounts.suspended_at IS NULL
      AND ${isReconciled}`.execute(db);
  return rows;
}

/** An item that this process has claimed; its shipment is null when it was deleted. */
export interface ClaimedItem extends ItemKey {
  tries: number;
  shipment: ShipmentRow | null;
}

type Claim = Pick<ItemKey, "account_id" | "batch_id"> & { process_id: string; limit: number };

/** Claims up to `limit` items that wait, in their order. */
export async function claimItems(db: Database, claim: Claim): Promise<ClaimedItem[]> {
  const { account_id, batch_id } = claim;
  const rows = await claims.claimRows<ItemRow>(db, items, {
    ...claim,
    which: sql`batch_id = ${batch_id} AND (not_before IS NULL OR not_before <= now())`,
    order: sql`place`,
  });
  if (rows.length === 0) return [];
  const { rows: shipments } = await sql<ShipmentRow>`
    SELECT ${columnsOf("shipments")} FROM ${rowsOf(account_id, rows, "shipment_id text")} AS each
    JOIN shipments ON shipments.account_id = each.account_id AND shipments.id = each.shipment_id`.execute(
    db,
  );
  const byId = new Map(shipments.map((each) => [each.id, each]));
  return rows
    .sort((a, b) => a.place - b.place)
    .map(({ shipment_id, tries }) => ({
      account_id,
      batch_id,
      shipment_id,
      tries,
      shipment: byId.get(shipment_id) ?? null,
    }));
}

/**
 * Records the attempts at items' purchases in the transaction that writes them. It fails with `item_lost`
 * when this process does not hold one.
 */
export async function noteAttempts(
  tx: Tx,
  notes: readonly { of: { item: ItemKey; process_id: string }; attempt_id: string }[],
): Promise<void> {
  const { item, process_id } = notes[0]!.of;
  await claims.noteAttemptsOf(tx, items, {
    account_id: item.account_id,
    process_id,
    notes: notes.map(({ of: { item: each }, attempt_id }) => {
      const { batch_id, shipment_id } = each;
      return { row: { batch_id, shipment_id }, attempt_id };
    }),
  });
}

type EndedItem = Ended<ItemKey>;

/** Ends claims of this process, any number at once; those that it lost are left unchanged. */
export async function endItems(
  db: Database,
  process_id: string,
  ended: readonly EndedItem[],
): Promise<void> {
  await sql`
    UPDATE batch_items AS item
    SET status = CASE each.status WHEN 'unsettled' THEN ${claims.unsettled} ELSE each.status END,
      holder_id = NULL, cost_cents = each.cost_cents, error = each.error,
      not_before = now() + make_interval(secs => each.pause_seconds),
      tries = CASE each.status WHEN 'unsettled' THEN item.tries + each.is_try::int ELSE 0 END
    FROM jsonb_to_recordset(${JSON.stringify(ended.map(flatten))}::jsonb) AS each (
      account_id text, batch_id text, shipment_id text, status text, cost_cents bigint, error jsonb,
      pause_seconds float8, is_try boolean)
    WHERE item.account_id = each.account_id AND item.batch_id = each.batch_id
      AND item.shipment_id = each.shipment_id
      AND item.holder_id = ${process_id} AND item.status = 'claimed'`.execute(db);
}

function flatten({ job: { account_id, batch_id, shipment_id }, end }: EndedItem): object {
  return { account_id, batch_id, shipment_id, ...end };
}

/** Items that this process has claimed wait again. It must have no job under way. */
export const releaseLost = (db: Database, process_id: string) =>
  claims.releaseLost(db, items, process_id);

/** Items of processes without a heartbeat for `lease_seconds` wait again. */
export const takeOverItems = (db: Database, lease_seconds: number) =>
  claims.takeOver(db, items, lease_seconds);

/** The outcome of the attempt of an item that is pending. */
export interface Outcome extends ItemKey {
  tries: number;
  attempt_status: AttemptStatus;
  failure: Failure | null;
  cost_cents: number;
}

const isOver = sql`batches.status = 'processing' AND item.status = 'pending'
  AND attempt.status NOT IN ('sent', 'unknown')`;
const pendingItems = sql`batches
  JOIN batch_items AS item ON item.account_id = batches.account_id AND item.batch_id = batches.id
  JOIN attempts AS attempt ON attempt.account_id = item.account_id AND attempt.id = item.attempt_id`;

/** Up to `limit` accounts that have pending items whose attempts have ended, or wait for an operator. */
export async function accountsWithOutcomes(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT DISTINCT batches.account_id FROM ${pendingItems} WHERE ${isOver} LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ account_id }) => account_id);
}

/** Up to `limit` such items of an account, locked for the transaction. */
export async function lockOutcomes(tx: Tx, accountId: string, limit: number): Promise<Outcome[]> {
  const { rows } = await sql<Outcome>`
    SELECT item.account_id, item.batch_id, item.shipment_id, item.tries, attempt.status AS attempt_status,
      attempt.failure, (attempt.input -> 'price' ->> 'total_cents')::bigint AS cost_cents
    FROM ${pendingItems} WHERE batches.account_id = ${accountId} AND ${isOver}
    LIMIT ${limit} FOR UPDATE OF item SKIP LOCKED`.execute(tx);
  return rows;
}

/** Ends pending items, which `lockOutcomes` locked in the same transaction. */
export async function endPending(tx: Tx, ended: readonly EndedItem[]): Promise<void> {
  await sql`
    UPDATE batch_items AS item
    SET status = CASE each.status WHEN 'unsettled' THEN 'waiting' ELSE each.status END,
      attempt_id = CASE each.status WHEN 'unsettled' THEN NULL ELSE item.attempt_id END,
      cost_cents = each.cost_cents, error = each.error,
      not_before = now() + make_interval(secs => each.pause_seconds),
      tries = CASE each.status WHEN 'unsettled' THEN item.tries + 1 ELSE 0 END
    FROM jsonb_to_recordset(${JSON.stringify(ended.map(flatten))}::jsonb) AS each (
      account_id text, batch_id text, shipment_id text, status text, cost_cents bigint, error jsonb,
      pause_seconds float8)
    WHERE item.account_id = each.account_id AND item.batch_id = each.batch_id
      AND item.shipment_id = each.shipment_id AND item.status = 'pending'`.execute(tx);
}

/** Queues the failed items of a batch that is processed again; one with an unknown outcome is looked up. */
export async function requeueFailed(
  tx: Tx,
  batch: { account_id: string; id: string },
): Promise<void> {
  const isUnknown = sql`error ->> 'code' = 'purchase_pending' AND attempt_id IS NOT NULL`;
  await sql`
    UPDATE batch_items
    SET status = CASE WHEN ${isUnknown} THEN 'pending' ELSE 'waiting' END,
      attempt_id = CASE WHEN ${isUnknown} THEN attempt_id END,
      error = NULL, tries = 0, not_before = NULL
    WHERE account_id = ${batch.account_id} AND batch_id = ${batch.id} AND status = 'failed'`.execute(
    tx,
  );
}

/** Batches that are being processed and have nothing left to do. */
export async function listFinished(
  db: Database,
): Promise<{ account_id: string; batch_id: string }[]> {
  const { rows } = await sql<{ account_id: string; batch_id: string }>`
    SELECT account_id, id AS batch_id FROM batches
    WHERE status = 'processing' AND NOT EXISTS (
      SELECT FROM batch_items AS item
      WHERE item.account_id = batches.account_id AND item.batch_id = batches.id
        AND item.status IN ('waiting', 'claimed', 'pending'))`.execute(db);
  return rows;
}

/** Whether items of the batch are still waiting, claimed or pending. */
export async function hasUnfinished(
  db: Database | Tx,
  accountId: string,
  batchId: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_true: boolean }>`
    SELECT EXISTS (
      SELECT FROM batch_items
      WHERE account_id = ${accountId} AND batch_id = ${batchId}
        AND status IN ('waiting', 'claimed', 'pending')) AS is_true`.execute(db);
  return rows[0]!.is_true;
}

/** The currency of an account's money. */
export async function currencyOf(tx: Tx, accountId: string): Promise<string> {
  const { currency } = await tx
    .selectFrom("accounts")
    .select("currency")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return currency;
}
