import { sql, type RawBuilder, type SqlBool } from "kysely";
import { json } from "./tables.ts";

/**
 * Any number of an account's rows as a table to select from, by a statement whose text does not depend on
 * their number; `columns` names and types the columns other than `account_id`, as `CREATE TABLE` would. Joins
 * with them use `account_id` and the rest of the key.
 *
 * The plan is cached, so it has to be good for any number of rows, and for a table that has grown since it
 * was empty at planning. The condition makes the planner expect a single row, which it looks up by its key.
 * It is opaque to the planner: if it knew the one account of all rows, it might begin with the table, and
 * read all rows of that account.
 */
export function rowsOf(
  accountId: string,
  rows: readonly object[],
  columns: string,
): RawBuilder<unknown> {
  const named = rows.map((row) => ({ ...row, account_id: accountId }));
  return sql`(
    SELECT * FROM jsonb_to_recordset(${json(named)}::jsonb) AS row (account_id text, ${sql.raw(columns)})
    WHERE account_id || '' = ${accountId})`;
}

/**
 * The same for rows of several accounts, which name their account. The condition holds for each row; the planner
 * expects a single one by it.
 */
export function rowsOfAccounts(
  rows: readonly { account_id: string }[],
  columns: string,
): RawBuilder<unknown> {
  return sql`(
    SELECT * FROM jsonb_to_recordset(${json(rows)}::jsonb) AS row (account_id text, ${sql.raw(columns)})
    WHERE account_id || '' = account_id)`;
}

/** A column that is one of these values. A single value becomes an equality, which keeps an index's order. */
export function isOneOf(column: string, values: readonly string[]): RawBuilder<SqlBool> {
  const [only, ...others] = values;
  return others.length === 0
    ? sql<SqlBool>`${sql.ref(column)} = ${only}`
    : sql<SqlBool>`${sql.ref(column)} = ANY(${values})`;
}
