import { sql } from "kysely";
import { newId } from "../domain/values/ids.ts";
import type { Cents } from "../domain/values/money.ts";
import { withCommit } from "../database/driver/sending.ts";
import { refuse } from "../database/refusals.ts";
import { rowsOf } from "../database/rows.ts";
import type { Book, Database, TransactionType, Tx } from "../database/tables.ts";

/**
 * The ledger. Money moves only here, by double entry: each transaction's entries sum to zero, which the
 * database enforces, as it enforces that what is available never falls below zero.
 *
 * An account's credit lives in one row of `balances` next to the entries that explain it; a hold reserves
 * part of it until the outside party has answered. The platform's own ledger books have no balance row, so
 * that purchases of different accounts never wait for each other.
 *
 * Signs: an entry on `credits` is the change of the account's credit. A label of 11.30 is `credits −11.30,
 * postage_revenue +10.00, tax_payable +1.30`, and the carrier's charge for it is `carrier_costs −8.00,
 * carrier_payable +8.00`.
 */

export interface Entry {
  book: Book;
  amount_cents: Cents;
}

export interface Posting {
  account_id: string;
  /** Given when the id was returned to a client before the money moved, as a top-up's is. */
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

/** A hold that ended in a debit. */
export interface Capture {
  hold_id: string;
  posting: Posting;
}

/**
 * Turns a hold into a debit: the hold ends and the posting's `credits` entry takes its place. The debit may
 * be smaller than the hold, never larger than hold and available credit together. Capturing one that is no
 * longer held is a bug, and throws.
 */
export async function capture(tx: Tx, holdId: string, posting: Posting): Promise<Posted> {
  const [posted] = await captureAll(tx, [{ hold_id: holdId, posting }]);
  return posted!;
}

/**
 * The same for one or several of an account, one after the other in their order, all or none. With
 * `and_commit` it ends the transaction: so the balance is not locked for another round trip.
 */
export async function captureAll(
  tx: Tx,
  captures: readonly Capture[],
  { and_commit = false }: { and_commit?: boolean } = {},
): Promise<Posted[]> {
  const { account_id, currency } = captures[0]!.posting;
  const isOne = captures.every(
    ({ posting }) => posting.account_id === account_id && posting.currency === currency,
  );
  if (!isOne) throw new Error(`not all captures are of account ${account_id} in ${currency}`);
  const lines = captures.map(({ hold_id, posting }) => ({ ...lineOf(posting), hold_id }));
  return write(tx, lines, { account_id, currency, and_commit });
}

/** Moves money for which there was no hold. */
export async function post(tx: Tx, posting: Posting): Promise<Posted> {
  const [posted] = await write(tx, [{ ...lineOf(posting), hold_id: null }], posting);
  return posted!;
}

/** A posting as the statement that writes it reads it. */
function lineOf(posting: Posting) {
  const { id, type, subtotal_cents, tax_cents, description, shipment_id, details, at } = posting;
  const credits = posting.entries.filter((entry) => entry.book === "credits");
  return {
    id: id ?? newId("txn", at),
    type,
    amount_cents: sumOf(credits),
    subtotal_cents,
    tax_cents,
    description,
    shipment_id,
    details: details ?? {},
    created_at: at,
    entries: entriesOf(posting),
  };
}

const lineColumns = `place bigint, id text, type text, amount_cents bigint, subtotal_cents bigint,
  tax_cents bigint, description text, shipment_id text, details jsonb, created_at timestamptz, entries jsonb,
  hold_id text`;

/**
 * Writes transactions with their entries, moves the balance, and ends the captured holds, in one statement.
 * Each transaction extends the account's chain of hashes, in order, from the end that the locked balance row
 * names. The new balance is not computed from the row that is updated: PostgreSQL checks its constraints on
 * the row as it was when the statement began, before it reads the newest version.
 */
async function write(
  tx: Tx,
  lines: readonly (ReturnType<typeof lineOf> & { hold_id: string | null })[],
  {
    account_id,
    currency,
    and_commit,
  }: { account_id: string; currency: string; and_commit?: boolean },
): Promise<Posted[]> {
  const holdIds = lines.flatMap(({ hold_id }) => hold_id ?? []);
  const held = holdIds.length === 0 ? "" : ` with a hold ${holdIds.join(", ")}`;
  const nothingPosted = `account ${account_id} has no ${currency} balance${held}`;
  const rows = lines.map((line, index) => ({ ...line, place: index + 1 }));
  const statement = sql<{ id: string; balance_after_cents: Cents }>`
    WITH RECURSIVE posting AS MATERIALIZED (SELECT * FROM ${rowsOf(account_id, rows, lineColumns)} AS each),
    captured AS (
      UPDATE holds SET status = 'captured', resolved_at = now()
      FROM posting
      WHERE holds.account_id = posting.account_id AND holds.id = posting.hold_id AND holds.status = 'held'
      RETURNING holds.amount_cents),
    freed AS (SELECT count(*) AS holds, coalesce(sum(amount_cents), 0)::bigint AS cents FROM captured),
    opening AS (
      SELECT balance_cents, held_cents, chain_length, chain_hash FROM balances
      WHERE account_id = ${account_id} AND currency = ${currency}
        AND (SELECT holds FROM freed) = ${holdIds.length}
      FOR UPDATE),
    chain (place, balance_cents, held_cents, sequence, hash) AS (
      SELECT 0::bigint, balance_cents, held_cents - freed.cents, chain_length, chain_hash FROM opening, freed
      UNION ALL
      SELECT p.place, chain.balance_cents + p.amount_cents, chain.held_cents, chain.sequence + 1,
        ledger_hash(previous => chain.hash, account_id => ${account_id}, id => p.id,
          sequence => chain.sequence + 1, type => p.type, amount_cents => p.amount_cents,
          subtotal_cents => p.subtotal_cents, tax_cents => p.tax_cents, currency => ${currency},
          balance_after_cents => chain.balance_cents + p.amount_cents, description => p.description,
          shipment_id => p.shipment_id, details => p.details, created_at => p.created_at, entries => p.entries)
      FROM chain JOIN posting AS p ON p.place = chain.place + 1),
    moved AS (
      UPDATE balances AS b
      SET balance_cents = last.balance_cents, held_cents = last.held_cents, chain_length = last.sequence,
        chain_hash = last.hash, updated_at = now()
      FROM (SELECT * FROM chain WHERE place = ${lines.length}) AS last
      WHERE b.account_id = ${account_id}
      RETURNING b.account_id),
    written AS (
      INSERT INTO ledger_transactions (account_id, id, type, amount_cents, subtotal_cents, tax_cents, currency,
        balance_after_cents, description, shipment_id, details, created_at, sequence, hash)
      SELECT moved.account_id, id, type, amount_cents, subtotal_cents, tax_cents, ${currency},
        balance_cents, description, shipment_id, details, created_at, sequence, hash
      FROM moved, chain JOIN posting USING (place)
      RETURNING account_id, id, balance_after_cents),
    entered AS (
      INSERT INTO ledger_entries (account_id, transaction_id, line, book, amount_cents, currency)
      SELECT written.account_id, id, (entry ->> 0)::smallint, entry ->> 1, (entry ->> 2)::bigint, entry ->> 3
      FROM written JOIN posting USING (id), jsonb_array_elements(entries) AS entry)
    SELECT id, balance_after_cents FROM written
    UNION ALL SELECT NULL, NULL WHERE NOT EXISTS (SELECT FROM written) AND ${refuse("nothing_posted", nothingPosted)}`;
  const { rows: written } = await (and_commit ? withCommit(statement) : statement).execute(tx);
  const after = new Map(written.map((row) => [row.id, row.balance_after_cents]));
  return rows.map(({ id }) => ({ transaction_id: id, balance_after_cents: after.get(id)! }));
}

/** The entries as they are hashed and written, without those of zero. */
function entriesOf({ entries, currency }: Posting): [number, Book, Cents, string][] {
  return entries
    .filter(({ amount_cents }) => amount_cents !== 0)
    .map(({ book, amount_cents }, index) => [index + 1, book, amount_cents, currency]);
}

/** The entries of a shipment's label purchase with reversed signs: what a full refund must enter. */
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

/**
 * The balance as the last commit left it, in cents of the account's currency. No lock: it may have changed by the
 * next statement.
 */
export async function readBalance(db: Database | Tx, accountId: string): Promise<Balance> {
  const row = await db
    .selectFrom("balances")
    .select(["currency", "balance_cents", "held_cents", "updated_at"])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { ...row, available_cents: row.balance_cents - row.held_cents };
}

/**
 * The same with a lock, for a decision that depends on it: until the transaction ends no other one holds or
 * moves the account's money.
 */
export async function lockBalance(tx: Tx, accountId: string): Promise<Balance> {
  await tx
    .selectFrom("balances")
    .select("account_id")
    .where("account_id", "=", accountId)
    .forUpdate()
    .execute();
  return readBalance(tx, accountId);
}

/** Opens the ledger of a new account. */
export async function openBalance(tx: Tx, accountId: string, currency: string): Promise<void> {
  await tx.insertInto("balances").values({ account_id: accountId, currency }).execute();
}

/**
 * Sets the balance below which the account is told of it, by the trigger of migration 0045; null: never. A
 * balance that is below it already is not told of until it has risen and fallen again.
 */
export async function setLowBalance(
  tx: Tx,
  accountId: string,
  low_balance_cents: Cents | null,
): Promise<void> {
  await tx
    .updateTable("balances")
    .set({ low_balance_cents })
    .where("account_id", "=", accountId)
    .execute();
}

/** In cents; 0 for none. The amounts must be of one currency. */
export function sumOf(amounts: readonly { amount_cents: Cents }[]): Cents {
  return amounts.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
