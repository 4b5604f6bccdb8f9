import type { Readable } from "node:stream";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/** The SQL of a backup: one transaction that sees every table in one snapshot. */

/** Tables about running processes or the server, or written by the migrations themselves. */
const leftOut = ["database_continuity", "processes", "migration_checksums"];

/**
 * Secrets that a restore does not need: it suffices that the key's request is known to have been carried out.
 */
const columnsLeftOut = ["idempotency_keys.sealed_body"];

export interface Snapshot {
  taken_at: Date;
  postgres_version: string;
  migrations: { name: string; checksum: string }[];
  /** Parents first, so that they can be filled in this order. */
  tables: TableShape[];
  /** The table's rows in PostgreSQL's text format. Read one stream to its end before the next. */
  rowsOf(table: TableShape): Readable;
  /** The keys of all files that the rows refer to, one per line. */
  fileKeys(): Readable;
  close(): Promise<void>;
}

export interface TableShape {
  name: string;
  columns: string[];
}

/** Throws when the database is of a release that had no backups of this kind. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, application_name: "waybill backup" });
  // A connection that breaks fails the statement under way, and must not end this process before its files are removed.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // The text format of values must not depend on the server's settings.
    await client.query(`SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC';
      SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
      SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
    const { taken_at, postgres_version } = await describeMoment(client);
    const tables = await listTables(client);
    if (!tables.some(({ name }) => name === "restores")) {
      throw new Error(
        "the database has the schema of an older release: run `waybill migrate` first, or back it up with pg_dump",
      );
    }
    const migrations = await listMigrations(client);
    return {
      taken_at,
      postgres_version,
      migrations,
      tables,
      rowsOf: ({ name, columns }) =>
        client.query(copyTo(`COPY (SELECT ${quoted(columns)} FROM ${quoted([name])}) TO STDOUT`)),
      fileKeys: () =>
        client.query(
          copyTo(`COPY (SELECT document ->> 'file_key' FROM shipments, jsonb_array_elements(documents) AS document
            UNION ALL SELECT combined_file_key FROM batches WHERE combined_file_key IS NOT NULL
            UNION ALL SELECT unnest(ARRAY[pdf_key, csv_key]) FROM statements WHERE status = 'ready'
            ORDER BY 1) TO STDOUT`),
        ),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The first statement of the transaction: its time is no later than the snapshot of the others. */
async function describeMoment(client: pg.Client) {
  const { rows } = await client.query<{ taken_at: Date; postgres_version: string }>(
    "SELECT now() AS taken_at, current_setting('server_version') AS postgres_version",
  );
  return rows[0]!;
}

async function listMigrations(client: pg.Client) {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "SELECT name, checksum FROM migration_checksums ORDER BY name",
  );
  return rows;
}

/** Every table of Waybill with the columns that can be written, except those that are left out. */
async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows: tables } = await client.query<TableShape>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND relname <> ALL ($1)
       AND relname || '.' || attname <> ALL ($2)
     GROUP BY relname ORDER BY relname`,
    [leftOut, columnsLeftOut],
  );
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `SELECT child.relname AS child, parent.relname AS parent
     FROM pg_constraint JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
     WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  return parentsFirst(tables, references);
}

function parentsFirst(
  tables: TableShape[],
  references: { child: string; parent: string }[],
): TableShape[] {
  const ordered: TableShape[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const isWaiting = (name: string) => [...waiting].some((table) => table.name === name);
    const ready = [...waiting].filter(
      ({ name }) => !references.some(({ child, parent }) => child === name && isWaiting(parent)),
    );
    if (ready.length === 0) throw new Error("tables that refer to each other cannot be ordered");
    for (const table of ready) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(", ");
}
