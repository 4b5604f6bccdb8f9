import { sql } from "kysely";
import { withCommit } from "../database/driver/sending.ts";
import { rowsOf } from "../database/rows.ts";
import type { Tx } from "../database/tables.ts";
import { refuse } from "../database/refusals.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { newId } from "../domain/values/ids.ts";
import { type Cents, fromCents } from "../domain/values/money.ts";
import { lockBalance, sumOf, type Balance } from "./ledger.ts";

/**
 * Holds on an account's credit until the outside party has answered: then they are captured, which
 * `ledger.ts` does, or released.
 */

/** A hold to be created, whose id is written with the attempt that it pays for. */
export interface NewHold {
  id: string;
  amount_cents: Cents;
}

/** A hold with a new id, in cents of the account's currency; `hold` reserves it. */
export function newHold(amount_cents: Cents): NewHold {
  return { id: newId("hld"), amount_cents };
}

/**
 * Reserves part of an account's available credit, for each of the holds or for none. Runs in the transaction
 * that writes the attempts, so that a refusal writes nothing. Throws 402 `insufficient_credits` with what is
 * missing.
 */
export async function hold(tx: Tx, accountId: string, wanted: readonly NewHold[]): Promise<void> {
  if (await reserve(tx, accountId, wanted)) return;
  // Money may have been credited since. With the balance locked, the refusal is true until the commit.
  const balance = await lockBalance(tx, accountId);
  if (await reserve(tx, accountId, wanted)) return;
  throw insufficientCredits(balance, sumOf(wanted));
}

/**
 * The same as the last statement of a transaction, which it commits: so the balance is not locked for another
 * round trip. A shortfall fails with `hold_not_covered`; in a new transaction `hold` then reports the
 * amounts.
 */
export async function holdAndCommit(
  tx: Tx,
  accountId: string,
  wanted: readonly NewHold[],
): Promise<void> {
  await withCommit(sql`
    WITH ${reservation(accountId, wanted)}
    SELECT EXISTS (SELECT FROM covered) OR ${refuse("hold_not_covered")}`).execute(tx);
}

/** False when the available credit does not cover them all. */
async function reserve(tx: Tx, accountId: string, wanted: readonly NewHold[]): Promise<boolean> {
  const { rows } = await sql`
    WITH ${reservation(accountId, wanted)} SELECT FROM covered`.execute(tx);
  return rows.length > 0;
}

/** Moves their sum from the available credit to the held amount if it is `covered`. */
function reservation(accountId: string, wanted: readonly NewHold[]) {
  const amount_cents = sumOf(wanted);
  return sql`
    covered AS (
      UPDATE balances SET held_cents = held_cents + ${amount_cents}, updated_at = now()
      WHERE account_id = ${accountId} AND balance_cents - held_cents >= ${amount_cents}
      RETURNING account_id),
    reserved AS (
      INSERT INTO holds (account_id, id, amount_cents, status)
      SELECT covered.account_id, each.id, each.amount_cents, 'held'
      FROM covered, ${rowsOf(accountId, wanted, "id text, amount_cents bigint")} AS each)`;
}

/** Releases a hold. Releasing one that is no longer held is a bug, and throws. */
export async function release(tx: Tx, accountId: string, holdId: string): Promise<void> {
  const { rows } = await sql`
    WITH freed AS (
      UPDATE holds SET status = 'released', resolved_at = now()
      WHERE account_id = ${accountId} AND id = ${holdId} AND status = 'held'
      RETURNING account_id, amount_cents)
    UPDATE balances SET held_cents = held_cents - freed.amount_cents, updated_at = now()
    FROM freed WHERE balances.account_id = freed.account_id
    RETURNING balances.account_id`.execute(tx);
  if (rows.length === 0) throw new Error(`hold ${holdId} is not held`);
}

function insufficientCredits(balance: Balance, amountCents: Cents): ApiError {
  return new ApiError("insufficient_credits", {
    details: {
      required: fromCents(amountCents),
      available: fromCents(balance.available_cents),
      currency: balance.currency,
    },
  });
}
