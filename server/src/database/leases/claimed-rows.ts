import { sql, type RawBuilder, type SqlBool } from "kysely";
import { columnsOf } from "../columns.ts";
import { inTransaction } from "../connect.ts";
import { pipelined } from "../driver/sending.ts";
import { refuse, type RefusalCode } from "../refusals.ts";
import { rowsOf } from "../rows.ts";
import type { Database, Tables, Tx } from "../tables.ts";
import { holderIsDead } from "./holder.ts";

/**
 * Rows for which labels are purchased, many at once: each is `waiting`, or `claimed` by the process in
 * `holder_id`, whose heartbeat is the lease, or `pending`, when its end depends on the outcome of an attempt.
 * Only the process that holds a claim ends it, or another one once that process is dead. Conditions of
 * partial indexes are literals, because the planner cannot use a parameter for them.
 */
export interface ClaimedRows {
  table: keyof Tables;
  /** The columns of the primary key after the account. */
  key: readonly string[];
  /** The error of a transaction that records an attempt for a row that this process does not hold. */
  lost: RefusalCode;
}

/** The state of a claim whose process never ended it. */
export const unsettled = sql.raw("CASE WHEN attempt_id IS NULL THEN 'waiting' ELSE 'pending' END");

interface Claim {
  account_id: string;
  process_id: string;
  limit: number;
  /** Which of the account's waiting rows, and in which order. */
  which: RawBuilder<SqlBool>;
  order: RawBuilder<unknown>;
}

/**
 * Claims up to `limit` of one account's rows that wait. In a transaction: a server that was suspended would
 * still execute a lone statement after this process has ended. The planner does not know how small the limit
 * is; the last condition makes it look up each row by its key instead of reading all.
 */
export async function claimRows<Row>(
  db: Database,
  { table, key }: ClaimedRows,
  { account_id, process_id, limit, which, order }: Claim,
): Promise<Row[]> {
  const take = sql<Row>`
    WITH next AS (
      SELECT ${columns(key)} FROM ${sql.table(table)}
      WHERE account_id = ${account_id} AND status = 'waiting' AND ${which}
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE ${sql.table(table)} AS own SET status = 'claimed', holder_id = ${process_id}
    FROM next WHERE ${isSame(key, "next")} AND next.account_id || '' = ${account_id}
    RETURNING ${columnsOf(table, "own")}`;
  const { rows } = await inTransaction(db, (tx) => take.execute(tx));
  return rows;
}

/** An attempt, and the row of this process for which it is made. */
interface AttemptOf {
  row: Record<string, string>;
  attempt_id: string;
}

/**
 * Records the attempts made for rows, in the transaction that writes the attempts and along with its next
 * statement: a process that takes a row over reads the outcome of its purchase there. The transaction fails
 * when this process does not hold one of the rows.
 */
export async function noteAttemptsOf(
  tx: Tx,
  { table, key, lost }: ClaimedRows,
  {
    account_id,
    process_id,
    notes,
  }: Omit<Claim, "limit" | "which" | "order"> & { notes: AttemptOf[] },
): Promise<void> {
  const types = [...key, "attempt_id"].map((column) => `${column} text`).join(", ");
  const noted = notes.map(({ row, attempt_id }) => ({ ...row, attempt_id }));
  await pipelined(sql`
    WITH noted AS (
      UPDATE ${sql.table(table)} AS own SET attempt_id = each.attempt_id
      FROM ${rowsOf(account_id, noted, types)} AS each
      WHERE ${isSame(key, "each")} AND own.holder_id = ${process_id}
      RETURNING own.account_id)
    SELECT count(*) = ${notes.length} OR ${refuse(lost)} FROM noted`).execute(tx);
}

/**
 * Releases all claims of this process, which has no job under way: claims whose response it never received.
 */
export async function releaseLost(
  db: Database,
  { table }: ClaimedRows,
  process_id: string,
): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)} SET status = ${unsettled}, holder_id = NULL
    WHERE status = 'claimed' AND holder_id = ${process_id}`.execute(db);
}

/**
 * Takes over the rows of dead processes. While there are none, that is one statement, which locks nothing.
 */
export async function takeOver(
  db: Database,
  { table, key }: ClaimedRows,
  lease_seconds: number,
): Promise<void> {
  const isOrphaned = sql`status = 'claimed' AND ${holderIsDead(`${table}.holder_id`, lease_seconds)}`;
  const { rows } = await sql<{ account_id: string }>`
    SELECT DISTINCT account_id FROM ${sql.table(table)} WHERE ${isOrphaned}`.execute(db);
  for (const { account_id } of rows) {
    const free = sql`
      WITH orphaned AS (
        SELECT ${columns(key)} FROM ${sql.table(table)}
        WHERE account_id = ${account_id} AND ${isOrphaned} FOR UPDATE SKIP LOCKED)
      UPDATE ${sql.table(table)} AS own SET status = ${unsettled}, holder_id = NULL
      FROM orphaned WHERE ${isSame(key, "orphaned")}`;
    await inTransaction(db, (tx) => free.execute(tx));
  }
}

function columns(key: readonly string[]) {
  return sql.join(["account_id", ...key].map((column) => sql.ref(column)));
}

function isSame(key: readonly string[], other: string) {
  const equal = ["account_id", ...key].map(
    (column) => sql`${sql.ref(`own.${column}`)} = ${sql.ref(`${other}.${column}`)}`,
  );
  return sql.join(equal, sql` AND `);
}
