import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * The first step of a claim: which accounts have something due. It locks nothing and skips from one account
 * to the next by an index, so that it costs one index lookup for each account, however many rows one of them
 * has.
 */
export interface WaitingRows {
  table: string;
  /** The condition of the partial index, a literal, because the planner cannot use a parameter for it. */
  is_waiting: string;
  /**
   * When a row is due; null in a row: at once. The index is on the account and this expression, nulls first. Null
   * for a table whose rows are all due at once, and whose index begins with the account.
   */
  due: string | null;
}

interface NextAccounts {
  /** Begins after this account and wraps around, so that no account starves. */
  after: string;
  /** Always the same for a caller: it is a literal of the statement, because PostgreSQL plans a parameter anew. */
  limit: number;
  /** A further condition on a row, not in the index: rows that fail it are read, too. */
  is_free?: RawBuilder<SqlBool>;
  /** A condition on the account, `each.account_id`. */
  is_served?: RawBuilder<SqlBool>;
  now?: RawBuilder<Date>;
}

const always = sql<SqlBool>`true`;

/** A sub-select of `account_id`, in round-robin order. */
export function accountsWithWork(
  { table, is_waiting, due }: WaitingRows,
  { after, limit, is_free = always, is_served = always, now = sql<Date>`now()` }: NextAccounts,
): RawBuilder<unknown> {
  const account = sql.ref(`${table}.account_id`);
  const due_at = due === null ? sql`NULL` : sql.ref(`${table}.${due}`);
  const order = due === null ? account : sql`${account}, ${due_at} NULLS FIRST`;
  const next = (range: RawBuilder<SqlBool>) => sql`
    SELECT ${account}, ${due_at} AS due_at FROM ${sql.table(table)}
    WHERE ${sql.raw(is_waiting)} AND ${is_free} AND ${range}
    ORDER BY ${order} LIMIT 1`;
  const isDue = due === null ? always : sql<SqlBool>`(due_at IS NULL OR due_at <= ${now})`;
  const isBehind = (place: RawBuilder<unknown>) => sql<SqlBool>`${account} > ${place}`;
  const isRound = (place: RawBuilder<unknown>) =>
    sql<SqlBool>`${isBehind(place)} AND ${account} <= ${after}`;
  return sql`(
    WITH RECURSIVE ahead AS (
      (${next(isBehind(sql`${after}`))})
      UNION ALL
      SELECT next.* FROM ahead CROSS JOIN LATERAL (${next(isBehind(sql`ahead.account_id`))}) AS next),
    around AS (
      (${next(isRound(sql`''`))})
      UNION ALL
      SELECT next.* FROM around CROSS JOIN LATERAL (${next(isRound(sql`around.account_id`))}) AS next)
    SELECT account_id FROM (SELECT * FROM ahead UNION ALL SELECT * FROM around) AS each
    WHERE ${isDue} AND ${is_served} LIMIT ${sql.lit(limit)})`;
}
