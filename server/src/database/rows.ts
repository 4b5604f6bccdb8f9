import { sql, type RawBuilder } from "kysely";
import { json } from "./tables.ts";

/**
 * Any number of an account's rows as something to select from, by a statement whose text never changes with
 * their number; `columns` names and types what they have, as `CREATE TABLE` would.
 *
 * Each row names its account, though it is one for all: a planner that is told so expects to see a single
 * row, and looks each up by its key. It keeps that plan, so it has to be good however many rows there turn
 * out to be, and however large a table has become that was empty when it was asked.
 */
export function rowsOf(
  accountId: string,
  rows: readonly object[],
  columns: string,
): RawBuilder<unknown> {
  const named = rows.map((row) => ({ ...row, of_account: accountId }));
  return sql`(
    SELECT * FROM jsonb_to_recordset(${json(named)}::jsonb) AS row (of_account text, ${sql.raw(columns)})
    WHERE of_account = ${accountId})`;
}
