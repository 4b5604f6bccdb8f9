import { sql, type RawBuilder, type SqlBool } from "kysely";
import { json } from "./tables.ts";

/**
 * Any number of an account's rows as something to select from, by a statement whose text never changes with
 * their number; `columns` names and types what they have besides `account_id`, as `CREATE TABLE` would. What
 * is joined with them is joined by their `account_id` and the rest of its key.
 *
 * A planner keeps its plan, so that has to be good however many rows there turn out to be, and however large
 * a table has become that was empty when it was asked. The condition makes it expect a single row, for which
 * it looks up one by its key. It is put in a way that the planner does not see through: if it knew which
 * account they all have, it might begin with the table, and read whatever that account has there.
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

/** A column that is one of these values. Of one it is an equality, by which an index keeps its order. */
export function isOneOf(column: string, values: readonly string[]): RawBuilder<SqlBool> {
  const [only, ...others] = values;
  return others.length === 0
    ? sql<SqlBool>`${sql.ref(column)} = ${only}`
    : sql<SqlBool>`${sql.ref(column)} = ANY(${values})`;
}
