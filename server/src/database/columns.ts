import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Database, Tables } from "./tables.ts";

/**
 * The columns of each table that this release knows, in their order. `npm run generate` writes them, with the
 * catalogue, from an empty database that was migrated.
 */

export const columnsPath = fileURLToPath(new URL("../../migrations/columns.json", import.meta.url));

/** The file: a digest of its sources, and its content. */
export interface Columns {
  migrations: string;
  columns: Record<string, string[]>;
}

let expected: Columns | null = null;

/** The columns that this release expects. */
export function expectedColumns(): Columns["columns"] {
  expected ??= JSON.parse(readFileSync(columnsPath, "utf8")) as Columns;
  return expected.columns;
}

/** All known columns of a table, in place of `*`: a later release may add others while this process runs. */
export function columnsOf(table: keyof Tables, alias: string = table): RawBuilder<unknown> {
  return namedColumns(alias, expectedColumns()[table]!);
}

const nullRows = new Map<keyof Tables, object>();

/**
 * All known columns of a table as nulls, to spread first into a literal that makes a row. The literal then only
 * replaces values: adding the sixty columns of a shipment to an object took nine times as long, because V8 moves
 * an object that outgrows its memory.
 */
export function nullRow<Table extends keyof Tables>(
  table: Table,
): Readonly<Record<keyof Selectable<Tables[Table]>, null>> {
  let row = nullRows.get(table);
  if (!row) {
    row = Object.fromEntries(expectedColumns()[table]!.map((column) => [column, null]));
    nullRows.set(table, row);
  }
  return row as Record<keyof Selectable<Tables[Table]>, null>;
}

/** Columns of one table, in this order. Those that are not among `needed` are null, and keep their places. */
export function namedColumns(
  alias: string,
  columns: readonly string[],
  needed: ReadonlySet<string> | null = null,
): RawBuilder<unknown> {
  const isRead = (column: string) => needed === null || needed.has(column);
  return sql.raw(
    columns.map((column) => (isRead(column) ? `"${alias}"."${column}"` : "NULL")).join(", "),
  );
}

/** Reads those of a database, as the file has them. */
export async function readColumns(db: Database): Promise<Columns["columns"]> {
  const { rows } = await sql<{ relation: string; columns: string[] }>`
    SELECT relname::text AS relation, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class AS class JOIN pg_attribute ON attrelid = class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    GROUP BY relname ORDER BY relname COLLATE "C"`.execute(db);
  return Object.fromEntries(rows.map(({ relation, columns }) => [relation, columns]));
}

/** As the file is written: a table a line, so that changes of different tables cause no merge conflict. */
export function columnsText({ migrations, columns }: Columns): string {
  const lines = Object.entries(columns).map(
    ([table, names]) => `${JSON.stringify(table)}: ${JSON.stringify(names)}`,
  );
  return `{"migrations": ${JSON.stringify(migrations)}, "columns": {\n${lines.join(",\n")}\n}}\n`;
}
