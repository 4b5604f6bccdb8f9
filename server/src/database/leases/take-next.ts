import { sql, type RawBuilder, type SqlBool } from "kysely";
import { columnsOf } from "../columns.ts";
import { inTransaction } from "../connect.ts";
import type { Database, Tables } from "../tables.ts";
import { accountsWithWork, type WaitingRows } from "./accounts-with-work.ts";
import { isFreeFor } from "./holder.ts";

/**
 * Work of which a process does one piece at a time: round-robin over the accounts, and the longest due row of
 * an account first. The work and its state stay a row of the resource's own table.
 */
export interface LeasedWork extends WaitingRows {
  table: keyof Tables;
  due: string;
  /** The column that names the process that holds a row. */
  holder: string;
  /** Further columns that a claim writes. */
  on_claim?: string;
}

interface Taker {
  process_id: string;
  lease_seconds: number;
  /** The time by which rows are due; the database's `now()` unless it is given. */
  now?: Date;
}

/** How many accounts are tried if other processes claim the row of each first. */
const accountsAtOnce = 10;

/**
 * Makes the function that takes the next row, or null when there is none that no living process holds. While
 * nothing is due, that costs one statement. `returning` are the columns to return, all without it; `source`
 * joins the resource of the row.
 */
export function takeNext<Row>(
  work: LeasedWork,
  { returning, source = sql`due` }: { returning?: string; source?: RawBuilder<unknown> } = {},
): (db: Database, taker: Taker) => Promise<Row | null> {
  const lastServed = new WeakMap<Database, string>();

  async function accountsInTurn(db: Database, taker: Taker): Promise<string[]> {
    const accounts = accountsWithWork(work, {
      after: lastServed.get(db) ?? "",
      limit: accountsAtOnce,
      is_free: isFreeFor(`${work.table}.${work.holder}`, taker),
      ...(taker.now ? { now: sql<Date>`${taker.now}::timestamptz` } : {}),
    });
    const { rows } = await sql<{ account_id: string }>`
      SELECT account_id FROM ${accounts} AS next`.execute(db);
    return rows.map(({ account_id }) => account_id);
  }

  return async (db, taker) => {
    for (const account_id of await accountsInTurn(db, taker)) {
      lastServed.set(db, account_id);
      const claim = claimOf<Row>(work, { account_id, ...taker, returning, source });
      // In a transaction: a server that was suspended would still execute a lone statement after this process
      // has ended.
      const { rows } = await inTransaction(db, (tx) => claim.execute(tx));
      if (rows[0]) return rows[0];
    }
    return null;
  };
}

interface Claim extends Taker {
  account_id: string;
  returning: string | undefined;
  source: RawBuilder<unknown>;
}

function claimOf<Row>(
  { table, holder, due, is_waiting, on_claim }: LeasedWork,
  { account_id, returning, source, now, ...taker }: Claim,
): RawBuilder<Row> {
  const [rows, due_at] = [sql.table(table), sql.ref(`${table}.${due}`)];
  const isDue = sql<SqlBool>`(${due_at} IS NULL OR ${due_at} <= ${now ?? sql`now()`})`;
  return sql<Row>`
    WITH due AS (
      SELECT account_id, id FROM ${rows}
      WHERE account_id = ${account_id} AND ${sql.raw(is_waiting)} AND ${isDue}
        AND ${isFreeFor(`${table}.${holder}`, taker)}
      ORDER BY ${due_at} NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE ${rows} SET ${sql.ref(holder)} = ${taker.process_id}${sql.raw(on_claim ? `, ${on_claim}` : "")}
    FROM ${source} WHERE ${sql.ref(`${table}.account_id`)} = due.account_id AND ${sql.ref(`${table}.id`)} = due.id
    RETURNING ${returning === undefined ? columnsOf(table) : sql.raw(returning)}`;
}

/**
 * Releases a row that the process holds, so that any process may take it, after that pause if it is given.
 */
export async function releaseClaim(
  db: Database,
  { table, due, holder }: LeasedWork,
  {
    account_id,
    id,
    process_id,
    until,
  }: { account_id: string; id: string; process_id: string; until?: RawBuilder<Date> },
): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)} SET ${sql.ref(holder)} = NULL${until ? sql`, ${sql.ref(due)} = ${until}` : sql``}
    WHERE account_id = ${account_id} AND id = ${id} AND ${sql.ref(holder)} = ${process_id}`.execute(
    db,
  );
}
