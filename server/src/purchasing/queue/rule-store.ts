import { sql, type Selectable } from "kysely";
import { isReconciled } from "../../database/health/restores.ts";
import { columnsOf } from "../../database/columns.ts";
import { accountsWithWork } from "../../database/leases/accounts-with-work.ts";
import * as claims from "../../database/leases/claimed-rows.ts";
import type { AttemptStatus, Database, RulePurchasesTable, Tx } from "../../database/tables.ts";
import type { RulePurchase } from "../../domain/rules/rule-effects.ts";
import type { Failure } from "../../outbound/operation.ts";
import type { QueueSource } from "./queue.ts";

/** The SQL of purchases that rules request, from the claim to the end. `automation/` inserts the rows. */

export type PurchaseRow = Selectable<RulePurchasesTable>;
type PurchaseKey = Pick<PurchaseRow, "account_id" | "shipment_id">;

const purchases: claims.ClaimedRows = {
  table: "rule_purchases",
  key: ["shipment_id"],
  lost: "rule_purchase_lost",
};

/** An account whose rules request labels. */
export type PurchaseSource = QueueSource;

/**
 * The next accounts with due purchases, after `after` and then from the first one, and those that are
 * `known`: no suspended ones, and none while a restored database is not reconciled.
 */
export async function listSources(
  db: Database,
  { after, limit, known }: { after: string; limit: number; known: readonly string[] },
): Promise<PurchaseSource[]> {
  const waiting = { table: "rule_purchases", is_waiting: "status = 'waiting'", due: "not_before" };
  const is_served = sql<boolean>`
    (SELECT suspended_at IS NULL FROM accounts WHERE accounts.account_id = each.account_id)`;
  const { rows } = await sql<PurchaseSource>`
    WITH next AS (SELECT account_id FROM ${accountsWithWork(waiting, { after, limit, is_served })} AS next)
    SELECT each.account_id, has_waiting, to_jsonb(own) AS account
    FROM (
      SELECT account_id, true AS has_waiting FROM next
      UNION ALL
      SELECT account_id, false FROM unnest(${known}::text[]) AS account_id
      WHERE account_id NOT IN (SELECT account_id FROM next)) AS each
    CROSS JOIN LATERAL (SELECT * FROM accounts WHERE accounts.account_id = each.account_id LIMIT 1) AS own
    WHERE ${is_served}
      AND ${isReconciled}
    ORDER BY each.account_id <= ${after}, each.account_id`.execute(db);
  return rows;
}

/** Claims up to `limit` due purchases of an account. */
export async function claimPurchases(
  db: Database,
  claim: { account_id: string; process_id: string; limit: number },
): Promise<PurchaseRow[]> {
  const which = sql<boolean>`not_before <= now()`;
  return claims.claimRows<PurchaseRow>(db, purchases, {
    ...claim,
    which,
    order: sql`not_before NULLS FIRST`,
  });
}

/**
 * Records attempts in the transaction that writes them. It fails with `rule_purchase_lost` when this process
 * does not hold one.
 */
export async function noteAttempts(
  tx: Tx,
  notes: readonly { of: PurchaseKey & { process_id: string }; attempt_id: string }[],
): Promise<void> {
  const { account_id, process_id } = notes[0]!.of;
  await claims.noteAttemptsOf(tx, purchases, {
    account_id,
    process_id,
    notes: notes.map(({ of: { shipment_id }, attempt_id }) => ({
      row: { shipment_id },
      attempt_id,
    })),
  });
}

/** Purchases that this process has claimed wait again. It must have no job under way. */
export const releaseLost = (db: Database, process_id: string) =>
  claims.releaseLost(db, purchases, process_id);

/** Purchases of processes without a heartbeat for `lease_seconds` wait again. */
export const takeOverPurchases = (db: Database, lease_seconds: number) =>
  claims.takeOver(db, purchases, lease_seconds);

/** Releases one, to be retried after a pause; one with an attempt waits for its outcome. */
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
    SET status = ${claims.unsettled}, holder_id = NULL, tries = tries + ${is_try ? 1 : 0},
      not_before = now() + make_interval(secs => ${pause_seconds})
    WHERE account_id = ${account_id} AND shipment_id = ${shipment_id} AND holder_id = ${process_id}`.execute(
    db,
  );
}

/** A purchase whose attempt has ended, or waits for an operator. */
export interface PendingPurchase extends PurchaseRow {
  attempt_status: AttemptStatus;
  failure: Failure | null;
  cost_cents: number;
}

const isOver = sql`purchase.status = 'pending' AND attempt.status NOT IN ('sent', 'unknown')`;
const pendingPurchases = sql`rule_purchases AS purchase
  JOIN attempts AS attempt ON attempt.account_id = purchase.account_id AND attempt.id = purchase.attempt_id`;

/** Up to `limit` accounts with a pending purchase whose attempt has ended. */
export async function accountsWithOutcomes(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT DISTINCT purchase.account_id FROM ${pendingPurchases} WHERE ${isOver} LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ account_id }) => account_id);
}

/** Up to `limit` such purchases of an account, locked for the transaction. */
export async function lockOutcomes(
  tx: Tx,
  accountId: string,
  limit: number,
): Promise<PendingPurchase[]> {
  const { rows } = await sql<PendingPurchase>`
    SELECT ${columnsOf("rule_purchases", "purchase")}, attempt.status AS attempt_status, attempt.failure,
      (attempt.input -> 'price' ->> 'total_cents')::bigint AS cost_cents
    FROM ${pendingPurchases} WHERE purchase.account_id = ${accountId} AND ${isOver}
    LIMIT ${limit} FOR UPDATE OF purchase SKIP LOCKED`.execute(tx);
  return rows;
}

/** Lets a pending one be purchased again: its attempt had no effect. */
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

/** Ends one, and writes the outcome to its run. False when another process holds it, or has ended it. */
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
