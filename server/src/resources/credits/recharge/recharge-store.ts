import { sql } from "kysely";
import { accountsWithWork } from "../../../database/leases/accounts-with-work.ts";
import type { Database, Environment, Tx } from "../../../database/tables.ts";
import type { Cents } from "../../../domain/values/money.ts";
import { isReconciled } from "../../../database/health/restores.ts";

/** The SQL of automatic top-ups: when one is due, and which is under way. Times are the database's. */

/**
 * Sets the balance below which the account's card is charged; null: never. Ends a pause after refused charges, and is
 * due at once where the balance is lower already. A charge under way ends as it would have.
 */
export async function writeThreshold(
  tx: Tx,
  accountId: string,
  below_cents: Cents | null,
): Promise<void> {
  await tx
    .updateTable("balances")
    .set({ recharge_below_cents: below_cents })
    .where("account_id", "=", accountId)
    .execute();
  await sql`
    INSERT INTO auto_recharges (account_id) VALUES (${accountId})
    ON CONFLICT (account_id) DO UPDATE SET due_at = NULL, failure_count = 0`.execute(tx);
  await makeDueIfBelow(tx, accountId);
}

/** As the trigger on `balances` does for later movements. To be called with the balance locked. */
async function makeDueIfBelow(tx: Tx, accountId: string): Promise<void> {
  await sql`
    UPDATE auto_recharges SET due_at = now() FROM balances
    WHERE auto_recharges.account_id = ${accountId} AND balances.account_id = ${accountId}
      AND balance_cents < recharge_below_cents`.execute(tx);
}

/** After an hour, and after a day; then it is paused. */
const pausesAfterRefusals = [3600, 86_400];
const pauseOutOfReach = 300;

const waiting = {
  table: "auto_recharges",
  is_waiting: "transaction_id IS NULL AND due_at < 'infinity'",
  due: "due_at",
} as const;

/** Accounts whose card is to be charged, round-robin. None while a restored database is not reconciled. */
export async function accountsToCharge(
  db: Database,
  next: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM ${accountsWithWork(waiting, next)} AS next WHERE ${isReconciled}`.execute(
    db,
  );
  return rows.map(({ account_id }) => account_id);
}

/** Makes this top-up the one that is under way; false when another is, or none is due any more. */
export async function claimRecharge(
  tx: Tx,
  accountId: string,
  transaction_id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE auto_recharges SET transaction_id = ${transaction_id}
    WHERE account_id = ${accountId} AND transaction_id IS NULL AND due_at <= now()`.execute(tx);
  return numAffectedRows === 1n;
}

interface RechargedAccount {
  environment: Environment;
  currency: string;
  settings: Record<string, unknown>;
  is_suspended: boolean;
  is_below: boolean;
}

/** What decides whether the account is charged, and how much. */
export async function readAccount(tx: Tx, accountId: string): Promise<RechargedAccount> {
  const { rows } = await sql<RechargedAccount>`
    SELECT environment, accounts.currency, settings, suspended_at IS NOT NULL AS is_suspended,
      coalesce(balance_cents < recharge_below_cents, false) AS is_below
    FROM accounts JOIN balances ON balances.account_id = accounts.account_id
    WHERE accounts.account_id = ${accountId}`.execute(tx);
  return rows[0]!;
}

/** It is not due before the balance falls again, or is looked at again after so many seconds. To be called with the balance locked. */
export async function putOff(tx: Tx, accountId: string, seconds: number | null): Promise<void> {
  await sql`
    UPDATE auto_recharges SET due_at = now() + make_interval(secs => ${seconds}::float8)
    WHERE account_id = ${accountId} AND transaction_id IS NULL AND due_at <= now()`.execute(tx);
}

/** The top-up under way succeeded: another is due at once where one was not enough. After its posting, which locks the balance. */
export async function endRecharge(
  tx: Tx,
  accountId: string,
  transaction_id: string,
): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE auto_recharges SET transaction_id = NULL, failure_count = 0, due_at = NULL
    WHERE account_id = ${accountId} AND transaction_id = ${transaction_id}`.execute(tx);
  if (numAffectedRows === 1n) await makeDueIfBelow(tx, accountId);
}

interface FailedRecharge {
  /** Null: not before the account chooses again. */
  next_at: Date | null;
}

/**
 * The top-up under way, or the one that could not begin (null), did not happen. A refusal counts, and is followed by
 * the pause for its number, the last by none that ends; a processor out of reach says nothing of the card. Null when
 * another process has written it.
 */
export async function failRecharge(
  tx: Tx,
  accountId: string,
  { transaction_id, is_refused }: { transaction_id: string | null; is_refused: boolean },
): Promise<FailedRecharge | null> {
  const isClaimed =
    transaction_id === null
      ? sql`transaction_id IS NULL AND due_at <= now()`
      : sql`transaction_id = ${transaction_id}`;
  const { rows } = await sql<{ failure_count: number }>`
    UPDATE auto_recharges
    SET transaction_id = NULL, due_at = NULL, failure_count = failure_count + ${is_refused ? 1 : 0}::integer
    WHERE account_id = ${accountId} AND ${isClaimed} RETURNING failure_count`.execute(tx);
  const [failed] = rows;
  if (!failed) return null;
  const pause = is_refused ? pausesAfterRefusals[failed.failure_count - 1] : pauseOutOfReach;
  const due_at =
    pause === undefined ? sql`'infinity'` : sql`now() + make_interval(secs => ${pause}::float8)`;
  const next = await sql<FailedRecharge>`
    UPDATE auto_recharges SET due_at = ${due_at} FROM balances
    WHERE auto_recharges.account_id = ${accountId} AND balances.account_id = ${accountId}
      AND recharge_below_cents IS NOT NULL
    RETURNING nullif(due_at, 'infinity') AS next_at`.execute(tx);
  return next.rows[0] ?? { next_at: null };
}

export interface RechargeState {
  is_charging: boolean;
  failure_count: number;
  is_paused: boolean;
  /** When the card is charged again after a refusal; null otherwise. */
  next_at: Date | null;
}

export async function readState(db: Database, accountId: string): Promise<RechargeState | null> {
  const { rows } = await sql<RechargeState>`
    SELECT transaction_id IS NOT NULL AS is_charging, failure_count, coalesce(due_at = 'infinity', false) AS is_paused,
      CASE WHEN failure_count > 0 AND transaction_id IS NULL THEN nullif(due_at, 'infinity') END AS next_at
    FROM auto_recharges WHERE account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}
