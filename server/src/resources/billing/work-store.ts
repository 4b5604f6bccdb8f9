import type { StatementLine } from "../../documents/statement-lines.ts";
import { isReconciled } from "../../database/health/restores.ts";
import { sql } from "kysely";
import { releaseClaim, takeNext, type LeasedWork } from "../../database/leases/take-next.ts";
import type { Database, Tx } from "../../database/tables.ts";
import { statementStatesBefore } from "../../domain/billing/statement-states.ts";
import { signedTax, sumsOf, type StatementRow } from "./store.ts";

/**
 * The SQL of the worker that makes statements. Conditions of partial indexes are literals, because the
 * planner cannot use a parameter for them. A restored database that is not reconciled may lack transactions:
 * until then no month is closed.
 */

export interface NewAccount {
  account_id: string;
  currency: string;
  time_zone: string;
  /** When its ledger begins. */
  since: Date;
}

/** Locks accounts that have no statement yet, and marks that they have one from now on. */
export async function takeNewAccounts(tx: Tx, limit: number): Promise<NewAccount[]> {
  const { rows } = await sql<NewAccount>`
    WITH next AS (
      SELECT account_id FROM accounts
      WHERE NOT has_statements AND ${isReconciled}
      ORDER BY account_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE accounts SET has_statements = true FROM next WHERE accounts.account_id = next.account_id
    RETURNING accounts.account_id, currency, time_zone, least(created_at, (
      SELECT first.created_at FROM ledger_transactions AS first
      WHERE first.account_id = accounts.account_id AND first.sequence > 0
      ORDER BY first.sequence LIMIT 1)) AS since`.execute(tx);
  return rows;
}

type OpenStatement = Pick<
  StatementRow,
  | "account_id"
  | "id"
  | "number"
  | "time_zone"
  | "ends_at"
  | "currency"
  | "after_sequence"
  | "opening_cents"
  | "due_at"
  | "created_at"
>;

export async function insertOpen(tx: Tx, rows: readonly OpenStatement[]): Promise<void> {
  const open = rows.map((row) => ({
    ...row,
    status: "open" as const,
    through_sequence: row.after_sequence,
    closing_cents: row.opening_cents,
  }));
  await tx.insertInto("statements").values(open).execute();
}

/** Locks one open statement whose month is over; null when there is none that no other process closes. */
export async function lockOver(tx: Tx, now: Date): Promise<StatementRow | null> {
  const { rows } = await sql<StatementRow>`
    SELECT * FROM statements
    WHERE due_at <= ${now} AND status = 'open'
      AND ${isReconciled}
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0] ?? null;
}

/** The account's current zone: it applies to the months to come. */
export async function timeZoneOf(tx: Tx, accountId: string): Promise<string> {
  const { time_zone } = await tx
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return time_zone;
}

/** Fixes the totals of a locked month; its files are to be made. */
export async function closeMonth(tx: Tx, row: StatementRow, now: Date): Promise<void> {
  await tx
    .updateTable("statements")
    .set({
      status: "generating",
      closing_cents: row.closing_cents,
      ...sumsOf(row),
      due_at: now,
      created_at: now,
    })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .where("status", "in", statementStatesBefore("generating"))
    .execute();
}

const making: LeasedWork = {
  table: "statements",
  is_waiting: "status = 'generating'",
  due: "due_at",
  holder: "holder_id",
};

/**
 * Takes a statement whose files are due and that no living process makes, of the next account; null when
 * there is none.
 */
export const takeDue = takeNext<StatementRow>(making);

/** Its files could not be made: due again from then on, for any process. */
export async function makeLater(
  db: Database,
  { account_id, id }: StatementRow,
  { process_id, due_at }: { process_id: string; due_at: Date },
): Promise<void> {
  await releaseClaim(db, making, {
    account_id,
    id,
    process_id,
    until: sql`${due_at}::timestamptz`,
  });
}

/** A month could not be closed: due again from then on. */
export async function closeLater(db: Database, row: StatementRow, due_at: Date): Promise<void> {
  await db
    .updateTable("statements")
    .set({ due_at })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .where("status", "=", "open")
    .execute();
}

/** The two files of a statement: keys, sizes and SHA-256. */
interface StatementFiles {
  pdf_key: string;
  pdf_bytes: number;
  pdf_sha256: string;
  csv_key: string;
  csv_bytes: number;
  csv_sha256: string;
}

/** Both files exist. False when another process was first: then its files count. */
export async function makeReady(
  tx: Tx,
  row: StatementRow,
  files: StatementFiles,
): Promise<boolean> {
  const ready = await tx
    .updateTable("statements")
    .set({ ...files, status: "ready", due_at: null, holder_id: null })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .where("status", "in", statementStatesBefore("ready"))
    .executeTakeFirst();
  return ready.numUpdatedRows > 0n;
}

/** One transaction as statements print it, with its position in the ledger. */
export interface LineRow extends Omit<StatementLine, "taxes"> {
  sequence: number;
  /** The taxes of its shipment's price, as the rate shows them. */
  taxes: { name: string; amount: number }[] | null;
}

/**
 * The next of a statement's transactions after that position. What the ledger states about one precedes its
 * shipment's data.
 */
export async function nextLines(
  db: Database,
  { account_id, through_sequence }: StatementRow,
  { after, limit }: { after: number; limit: number },
): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    SELECT line.sequence, line.id, line.created_at, line.type, line.description, line.shipment_id,
      shipment.order_number, coalesce(line.details ->> 'carrier', shipment.carrier) AS carrier,
      coalesce(line.details ->> 'service', shipment.service) AS service,
      coalesce(line.details ->> 'tracking_code', shipment.tracking_code) AS tracking_code,
      line.amount_cents, ${signedTax} AS tax_cents, line.balance_after_cents, line.currency,
      shipment.selected_rate -> 'taxes' AS taxes
    FROM ledger_transactions AS line
    LEFT JOIN shipments AS shipment
      ON shipment.account_id = line.account_id AND shipment.id = line.shipment_id
    WHERE line.account_id = ${account_id} AND line.sequence > ${after} AND line.sequence <= ${through_sequence}
    ORDER BY line.sequence LIMIT ${limit}`.execute(db);
  return rows;
}

/** The holder of a statement's account. */
export async function accountHolder(db: Database, accountId: string) {
  return db
    .selectFrom("accounts")
    .innerJoin("organizations", "organizations.id", "accounts.organization_id")
    .select(["organizations.name", "accounts.environment", "accounts.default_from_address"])
    .where("accounts.account_id", "=", accountId)
    .executeTakeFirstOrThrow();
}
