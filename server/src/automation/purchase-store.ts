import { sql, type Selectable } from "kysely";
import { inTransaction } from "../database/connect.ts";
import { pipelined } from "../database/driver/sending.ts";
import { rowsOf } from "../database/rows.ts";
import type {
  AccountsTable,
  AttemptStatus,
  Database,
  RulePurchasesTable,
  Tx,
} from "../database/tables.ts";
import { refuse } from "../database/refusals.ts";
import type { RulePurchase } from "../domain/rules/rule-terms.ts";
import type { Failure } from "../outbound/operation.ts";

/**
 * The SQL of labels that rules want bought. A claim names its process, whose heartbeat is the lease; the
 * attempt is noted in the purchase's first transaction, so that whoever comes after a dead process knows
 * whether to buy or to wait for what the attempt comes to.
 */

export type PurchaseRow = Selectable<RulePurchasesTable>;
export type NewPurchase = Omit<PurchaseRow, "status" | "holder_id" | "attempt_id" | "tries">;
type PurchaseKey = Pick<PurchaseRow, "account_id" | "shipment_id">;

export async function insertPurchases(tx: Tx, rows: readonly NewPurchase[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO rule_purchases (account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, not_before)
    SELECT account_id, shipment_id, run_id, rule_id, rule_name, max_total_cents, now()
    FROM jsonb_populate_recordset(NULL::rule_purchases, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  );
}

/** One that is ours to buy, and for whom. */
export interface ClaimedPurchase extends PurchaseRow {
  account: Omit<Selectable<AccountsTable>, "time_zone" | "suspended_at" | "created_at">;
}

/**
 * Claims up to `limit` that are due, but those of suspended accounts, and none while a restored database
 * is not reconciled: then nothing may be bought.
 */
export async function claimPurchases(
  db: Database,
  { process_id, limit }: { process_id: string; limit: number },
): Promise<ClaimedPurchase[]> {
  const take = sql<ClaimedPurchase>`
    WITH next AS (
      SELECT purchase.account_id, shipment_id FROM rule_purchases AS purchase
      JOIN accounts ON accounts.account_id = purchase.account_id
      WHERE status = 'waiting' AND not_before <= now() AND accounts.suspended_at IS NULL
        AND NOT EXISTS (SELECT FROM restores WHERE reconciled_at IS NULL)
      ORDER BY not_before LIMIT ${limit} FOR UPDATE OF purchase SKIP LOCKED)
    UPDATE rule_purchases AS purchase SET status = 'claimed', holder_id = ${process_id}
    FROM next JOIN accounts ON accounts.account_id = next.account_id
    WHERE purchase.account_id = next.account_id AND purchase.shipment_id = next.shipment_id
    RETURNING purchase.*, to_jsonb(accounts) AS account`;
  // In a transaction, because a statement alone is carried out by a server that wakes up long after us.
  const { rows } = await inTransaction(db, (tx) => take.execute(tx));
  return rows;
}

/** Notes attempts in the transaction that writes them. It fails when one is not ours, with `rule_purchase_lost`. */
export async function noteAttempts(
  tx: Tx,
  notes: readonly { of: PurchaseKey & { process_id: string }; attempt_id: string }[],
): Promise<void> {
  const { account_id } = notes[0]!.of;
  const rows = notes.map(({ of: { shipment_id, process_id }, attempt_id }) => ({
    ...{ shipment_id, process_id, attempt_id },
  }));
  await pipelined(sql`
    WITH noted AS (
      UPDATE rule_purchases AS purchase SET attempt_id = each.attempt_id
      FROM ${rowsOf(account_id, rows, "shipment_id text, process_id text, attempt_id text")} AS each
      WHERE purchase.account_id = each.account_id AND purchase.shipment_id = each.shipment_id
        AND purchase.holder_id = each.process_id
      RETURNING purchase.shipment_id)
    SELECT count(*) = ${notes.length} OR ${refuse("rule_purchase_lost")} FROM noted`).execute(tx);
}

const unsettled = sql`CASE WHEN attempt_id IS NULL THEN 'waiting' ELSE 'pending' END`;

/** Gives one back, to be tried after a pause; one with an attempt waits for what that comes to. */
export async function putOff(
  db: Database,
  { account_id, shipment_id }: PurchaseKey,
  {
    process_id,
    pause_seconds,
    is_try,
  }: { process_id: string; pause_seconds: number; is_try: boolean },
): Promise<void> {
  await sql`
    UPDATE rule_purchases
    SET status = ${unsettled}, holder_id = NULL, tries = tries + ${is_try ? 1 : 0},
      not_before = now() + make_interval(secs => ${pause_seconds})
    WHERE account_id = ${account_id} AND shipment_id = ${shipment_id} AND holder_id = ${process_id}`.execute(
    db,
  );
}

/** Frees what dead processes had claimed, and what this one has, but for what it knows to be under way. */
export async function takeOver(
  db: Database,
  {
    process_id,
    lease_seconds,
    known,
  }: { process_id: string; lease_seconds: number; known: readonly string[] },
): Promise<void> {
  const free = sql`
    WITH orphaned AS (
      SELECT account_id, shipment_id FROM rule_purchases AS purchase
      WHERE status = 'claimed' AND shipment_id <> ALL(${known}::text[]) AND (holder_id = ${process_id} OR NOT EXISTS (
        SELECT FROM processes
        WHERE processes.id = purchase.holder_id
          AND heartbeat_at > now() - make_interval(secs => ${lease_seconds})))
      FOR UPDATE SKIP LOCKED)
    UPDATE rule_purchases AS purchase SET status = ${unsettled}, holder_id = NULL
    FROM orphaned
    WHERE purchase.account_id = orphaned.account_id AND purchase.shipment_id = orphaned.shipment_id`;
  await inTransaction(db, (tx) => free.execute(tx));
}

/** A purchase whose attempt has ended, or waits for an operator. */
export interface PendingPurchase extends PurchaseRow {
  attempt_status: AttemptStatus;
  failure: Failure | null;
  cost_cents: number;
}

export async function lockOutcomes(tx: Tx, limit: number): Promise<PendingPurchase[]> {
  const { rows } = await sql<PendingPurchase>`
    SELECT purchase.*, attempt.status AS attempt_status, attempt.failure,
      (attempt.input -> 'price' ->> 'total_cents')::bigint AS cost_cents
    FROM rule_purchases AS purchase
    JOIN attempts AS attempt
      ON attempt.account_id = purchase.account_id AND attempt.id = purchase.attempt_id
    WHERE purchase.status = 'pending' AND attempt.status NOT IN ('sent', 'unknown')
    LIMIT ${limit} FOR UPDATE OF purchase SKIP LOCKED`.execute(tx);
  return rows;
}

/** Lets a pending one be bought again: its attempt came to nothing. */
export async function tryAgain(
  tx: Tx,
  { account_id, shipment_id }: PurchaseKey,
  pause_seconds: number,
): Promise<void> {
  await sql`
    UPDATE rule_purchases
    SET status = 'waiting', attempt_id = NULL, tries = tries + 1,
      not_before = now() + make_interval(secs => ${pause_seconds})
    WHERE account_id = ${account_id} AND shipment_id = ${shipment_id}`.execute(tx);
}

/** Ends one, and writes to its run how. False when somebody else has it, or has ended it. */
export async function endPurchase(
  tx: Tx,
  { account_id, shipment_id, run_id, holder_id }: PurchaseRow,
  purchase: RulePurchase,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM rule_purchases
    WHERE account_id = ${account_id} AND shipment_id = ${shipment_id}
      AND holder_id IS NOT DISTINCT FROM ${holder_id}`.execute(tx);
  if (numAffectedRows === 0n) return false;
  await sql`
    UPDATE rule_runs SET purchase = ${JSON.stringify(purchase)}::jsonb
    WHERE account_id = ${account_id} AND id = ${run_id}`.execute(tx);
  return true;
}

/** Adds a line to a shipment's messages, if the shipment is still there. */
export async function addMessage(
  tx: Tx,
  { account_id, shipment_id }: PurchaseKey,
  message: object,
): Promise<void> {
  await sql`
    UPDATE shipments SET messages = messages || ${JSON.stringify([message])}::jsonb
    WHERE account_id = ${account_id} AND id = ${shipment_id}`.execute(tx);
}
