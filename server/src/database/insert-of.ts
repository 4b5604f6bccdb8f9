import { sql, type RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The insertion of whole rows, at least one, by a statement whose text does not change with their number. The
 * columns are those of the rows, which this release knows: a later release may have added others, with
 * defaults, while processes of this one still run.
 */
export function insertOf<Row extends object>(
  table: keyof Tables,
  rows: readonly Row[],
  alias: string = table,
): RawBuilder<unknown> {
  const columns = columnsOf(rows);
  return sql`INSERT INTO ${sql.raw(table)} AS ${sql.raw(alias)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql.raw(table)}, ${JSON.stringify(rows.map(withoutNulls))}::jsonb)`;
}

/**
 * A column that its JSON leaves out is inserted as null, too. Most columns of a new shipment are: naming each of
 * them cost a quarter of the insert.
 */
function withoutNulls(row: object): object {
  const given: Record<string, unknown> = {};
  const values = row as Readonly<Record<string, unknown>>;
  // Object.entries would make an array for each column.
  for (const name in values) if (values[name] !== null) given[name] = values[name];
  return given;
}

/**
 * Made once for each set of columns: joining sixty names for each row would take longer than inserting it.
 */
const known = new Map<string, RawBuilder<unknown>>();

/** Sorted, so that the text does not depend on the function that made the rows. */
function columnsOf([first]: readonly object[]): RawBuilder<unknown> {
  if (!first) throw new Error("there is no row to insert");
  const columns = Object.keys(first);
  const key = columns.join();
  let list = known.get(key);
  if (!list)
    known.set(
      key,
      (list = sql.raw(
        columns
          .toSorted()
          .map((name) => `"${name}"`)
          .join(", "),
      )),
    );
  return list;
}
