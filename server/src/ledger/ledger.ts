import { sql } from "kysely";
import { ApiError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { type Cents, fromCents } from "../domain/money.ts";
import { commitsToo } from "../database/journeys.ts";
import type { Book, Database, TransactionType, Tx } from "../database/tables.ts";
import { refusalIn } from "../database/trouble.ts";

/**
 * The books. Money moves only here, by double entry: each transaction's entries sum to zero, which
 * the database enforces, as it enforces that what is available never falls below zero.
 *
 * An account's credit lives in one row of `balances` beside the entries that explain it; a hold
 * reserves part of it until the outside party has answered. The platform's own books have no row,
 * so that purchases of different accounts never wait for each other.
 *
 * Signs: an entry on `credits` is what the account's credit changed by. A label of 11.30 is
 * `credits −11.30, postage_revenue +10.00, tax_payable +1.30`, and what the carrier asks for it is
 * `carrier_costs −8.00, carrier_payable +8.00`.
 */

export interface Entry {
  book: Book;
  amount_cents: Cents;
}

export interface Posting {
  account_id: string;
  /** Given when the id was promised to a client before the money moved, as a top-up's is. */
  id?: string;
  type: TransactionType;
  subtotal_cents: Cents;
  tax_cents: Cents;
  currency: string;
  description: string;
  shipment_id: string | null;
  details?: Record<string, unknown>;
  entries: Entry[];
  at: Date;
}

export interface Posted {
  transaction_id: string;
  balance_after_cents: Cents;
}

/** A hold to be, whose id the attempt that it pays for is written with. */
export interface NewHold {
  id: string;
  amount_cents: Cents;
}

export function newHold(amount_cents: Cents): NewHold {
  return { id: newId("hld"), amount_cents };
}

/**
 * Reserves part of an account's available credit. Runs in the transaction that writes the attempt,
 * so that a refusal leaves no trace. Throws 402 `insufficient_credits` with what is missing.
 */
export async function hold(tx: Tx, accountId: string, wanted: NewHold): Promise<void> {
  if (await reserve(tx, accountId, wanted)) return;
  // Money may have come since. From here on it can only come after us, so that the refusal is true.
  await tx
    .selectFrom("balances")
    .select("account_id")
    .where("account_id", "=", accountId)
    .forUpdate()
    .execute();
  if (await reserve(tx, accountId, wanted)) return;
  throw await insufficientCredits(tx, accountId, wanted.amount_cents);
}

const notCovered = "the available credit does not cover the hold";

/**
 * The same as the last statement of a transaction, which it commits: so nobody waits for the balance while
 * an answer travels. One that is not covered fails, as `isNotCovered` tells; in a new transaction `hold`
 * then says what is missing.
 */
export async function holdAndCommit(tx: Tx, accountId: string, wanted: NewHold): Promise<void> {
  await sql`
    WITH ${reservation(accountId, wanted)}
    SELECT EXISTS (SELECT FROM reserved) OR refuse(${notCovered}) ${sql.raw(commitsToo)}`.execute(
    tx,
  );
}

export function isNotCovered(error: unknown): boolean {
  return refusalIn(error) === notCovered;
}

/** False when the available credit does not cover it. */
async function reserve(tx: Tx, accountId: string, wanted: NewHold): Promise<boolean> {
  const { rows } = await sql`
    WITH ${reservation(accountId, wanted)} SELECT FROM reserved`.execute(tx);
  return rows.length > 0;
}

/** Moves what is covered from the available credit to a hold, and is `reserved` then. */
function reservation(accountId: string, { id, amount_cents }: NewHold) {
  return sql`
    covered AS (
      UPDATE balances SET held_cents = held_cents + ${amount_cents}, updated_at = now()
      WHERE account_id = ${accountId} AND balance_cents - held_cents >= ${amount_cents}
      RETURNING account_id),
    reserved AS (
      INSERT INTO holds (account_id, id, amount_cents, status)
      SELECT account_id, ${id}, ${amount_cents}, 'held' FROM covered
      RETURNING id)`;
}

/** Gives a hold back. Releasing one that is no longer held is a bug, and says so. */
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

/**
 * Turns a hold into a debit: the hold ends and the posting's `credits` entry takes its place. The
 * debit may be smaller than the hold, never larger than hold and available credit together. Capturing
 * one that is no longer held is a bug, and says so. With `and_commit` it ends the transaction: so nobody
 * waits for the balance while the answer travels.
 */
export function capture(
  tx: Tx,
  holdId: string,
  posting: Posting & { and_commit?: boolean },
): Promise<Posted> {
  return write(tx, posting, holdId);
}

/** Moves money that nothing was held for. */
export function post(tx: Tx, posting: Posting): Promise<Posted> {
  return write(tx, posting, null);
}

/**
 * Writes one transaction with its entries, moves the balance, and ends the hold that it replaces, in one
 * statement: the UPDATE that moves the balance makes the account's chain of hashes one longer, too.
 */
async function write(
  tx: Tx,
  posting: Posting & { and_commit?: boolean },
  holdId: string | null,
): Promise<Posted> {
  const held = holdId === null ? "" : ` with a hold ${holdId}`;
  const nothingMoved = `account ${posting.account_id} has no ${posting.currency} balance${held}`;
  const id = posting.id ?? newId("txn", posting.at);
  const creditCents = sumOf(posting.entries.filter((entry) => entry.book === "credits"));
  const { rows } = await sql<{ balance_after_cents: Cents }>`
    WITH posting AS (
      SELECT ${id}::text AS id, ${posting.type}::text AS type, ${creditCents}::bigint AS amount_cents,
        ${posting.subtotal_cents}::bigint AS subtotal_cents, ${posting.tax_cents}::bigint AS tax_cents,
        ${posting.description}::text AS description, ${posting.shipment_id}::text AS shipment_id,
        ${JSON.stringify(posting.details ?? {})}::jsonb AS details, ${posting.at}::timestamptz AS created_at,
        ${JSON.stringify(linesOf(posting))}::jsonb AS entries),
    captured AS (
      UPDATE holds SET status = 'captured', resolved_at = now()
      WHERE account_id = ${posting.account_id} AND id = ${holdId} AND status = 'held'
      RETURNING amount_cents),
    moved AS (
      UPDATE balances AS b
      SET balance_cents = balance_cents + p.amount_cents, updated_at = now(),
        held_cents = held_cents - coalesce((SELECT captured.amount_cents FROM captured), 0),
        chain_length = chain_length + 1,
        chain_hash = ledger_hash(previous => chain_hash, account_id => b.account_id, id => p.id,
          sequence => chain_length + 1, type => p.type, amount_cents => p.amount_cents,
          subtotal_cents => p.subtotal_cents, tax_cents => p.tax_cents, currency => b.currency,
          balance_after_cents => balance_cents + p.amount_cents, description => p.description,
          shipment_id => p.shipment_id, details => p.details, created_at => p.created_at, entries => p.entries)
      FROM posting AS p
      WHERE b.account_id = ${posting.account_id} AND b.currency = ${posting.currency}
        AND (${holdId}::text IS NULL OR EXISTS (SELECT FROM captured))
      RETURNING b.*),
    written AS (
      INSERT INTO ledger_transactions (account_id, id, type, amount_cents, subtotal_cents, tax_cents, currency,
        balance_after_cents, description, shipment_id, details, created_at, sequence, hash)
      SELECT account_id, id, type, amount_cents, subtotal_cents, tax_cents, currency,
        balance_cents, description, shipment_id, details, created_at, chain_length, chain_hash
      FROM moved, posting
      RETURNING account_id, id, currency, balance_after_cents),
    entered AS (
      INSERT INTO ledger_entries (account_id, transaction_id, line, book, amount_cents, currency)
      SELECT account_id, written.id, (entry ->> 0)::smallint, entry ->> 1, (entry ->> 2)::bigint, entry ->> 3
      FROM written, posting, jsonb_array_elements(entries) AS entry)
    SELECT balance_after_cents FROM written
    UNION ALL SELECT NULL WHERE NOT EXISTS (SELECT FROM written) AND refuse(${nothingMoved})
    ${sql.raw(posting.and_commit ? commitsToo : "")}`.execute(tx);
  return { transaction_id: id, balance_after_cents: rows[0]!.balance_after_cents };
}

/** The entries as they are hashed and written; nobody wants to read that nothing was moved. */
function linesOf({ entries, currency }: Posting): [number, Book, Cents, string][] {
  return entries
    .filter(({ amount_cents }) => amount_cents !== 0)
    .map(({ book, amount_cents }, index) => [index + 1, book, amount_cents, currency]);
}

/** The entries that gave a shipment its label, turned round: what refunding it in full must enter. */
export async function reversalOf(tx: Tx, accountId: string, shipmentId: string): Promise<Entry[]> {
  const entries = await tx
    .selectFrom("ledger_transactions as bought")
    .innerJoin("ledger_entries as entry", (join) =>
      join
        .onRef("entry.account_id", "=", "bought.account_id")
        .onRef("entry.transaction_id", "=", "bought.id"),
    )
    .select(["entry.book", "entry.amount_cents"])
    .where("bought.account_id", "=", accountId)
    .where("bought.shipment_id", "=", shipmentId)
    .where("bought.type", "in", ["label", "ltl"])
    .execute();
  return entries.map(({ book, amount_cents }) => ({ book, amount_cents: -amount_cents }));
}

/** The transaction that paid for a shipment's label, or null. */
export async function labelTransaction(
  db: Database | Tx,
  accountId: string,
  shipmentId: string,
): Promise<Posted | null> {
  const row = await db
    .selectFrom("ledger_transactions")
    .select(["id as transaction_id", "balance_after_cents"])
    .where("account_id", "=", accountId)
    .where("shipment_id", "=", shipmentId)
    .where("type", "in", ["label", "ltl"])
    .executeTakeFirst();
  return row ?? null;
}

export interface Balance {
  currency: string;
  balance_cents: Cents;
  held_cents: Cents;
  available_cents: Cents;
  updated_at: Date;
}

export async function readBalance(db: Database | Tx, accountId: string): Promise<Balance> {
  const row = await db
    .selectFrom("balances")
    .select(["currency", "balance_cents", "held_cents", "updated_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { ...row, available_cents: row.balance_cents - row.held_cents };
}

/** Opens the books of a new account. */
export async function openBalance(tx: Tx, accountId: string, currency: string): Promise<void> {
  await tx.insertInto("balances").values({ account_id: accountId, currency }).execute();
}

async function insufficientCredits(
  tx: Tx,
  accountId: string,
  amountCents: Cents,
): Promise<ApiError> {
  const balance = await readBalance(tx, accountId);
  return new ApiError("insufficient_credits", {
    details: {
      required: fromCents(amountCents),
      available: fromCents(balance.available_cents),
      currency: balance.currency,
    },
  });
}

function sumOf(entries: Entry[]): Cents {
  return entries.reduce((sum, entry) => sum + entry.amount_cents, 0);
}
