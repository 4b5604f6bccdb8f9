import { sql, type RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The insertion of whole rows, at least one, by a statement whose text does not change with their number. The columns
 * are those of the rows, which this release knows: a later release may have added others, which have their default,
 * while processes of this one still run.
 */
export function insertOf<Row extends object>(
  table: keyof Tables,
  rows: readonly Row[],
  alias: string = table,
): RawBuilder<unknown> {
  const columns = sql.join(columnsOf(rows).map((column) => sql.ref(column)));
  return sql`INSERT INTO ${sql.table(table)} AS ${sql.ref(alias)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`;
}

/** Sorted, so that the text is the same whichever function made the rows. */
function columnsOf([first]: readonly object[]): string[] {
  if (!first) throw new Error("there is no row to insert");
  return Object.keys(first).sort();
}
