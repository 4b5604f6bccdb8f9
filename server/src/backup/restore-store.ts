import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { byShell } from "../domain/accounts/principal.ts";
import { newId } from "../domain/values/ids.ts";
import type { BackedUpTable, Manifest } from "./manifest.ts";
import { quoted } from "./snapshot-store.ts";

/** The SQL of a restore: what is in the database already, and one transaction that fills it. */

export interface Target {
  /** What keeps the database from being restored into, as text; empty when nothing does. */
  occupants(): Promise<string[]>;
  appliedMigrations(): Promise<string[]>;
  /** Begins the transaction, in which all tables are locked against other writers. */
  begin(tables: readonly { name: string }[]): Promise<void>;
  /**
   * Fills a table from PostgreSQL's text format. Throws when the number of rows differs from the manifest's.
   */
  fill(table: BackedUpTable, content: Readable): Promise<void>;
  /** Commits, and with it that this database is to be reconciled. */
  commit(manifest: Pick<Manifest, "taken_at">): Promise<void>;
  close(): Promise<void>;
}

/**
 * Tables whose rows the migrations or a start write, not users of Waybill; two of them were dropped by 0037.
 */
const ownRows = ["database_continuity", "migrations", "migration_lock", "migration_checksums"];

export async function openTarget(url: string): Promise<Target> {
  const client = new pg.Client({ connectionString: url, application_name: "waybill restore" });
  // A connection that breaks fails the statement under way.
  client.on("error", () => undefined);
  await client.connect();
  return {
    occupants: () => findOccupants(client),
    async appliedMigrations() {
      const tables = await listTables(client);
      if (!tables.includes("migration_checksums")) return [];
      const { rows } = await client.query<{ name: string }>(
        "SELECT name FROM migration_checksums ORDER BY name",
      );
      return rows.map(({ name }) => name);
    },
    async begin(tables) {
      await client.query("BEGIN");
      await client.query("SET LOCAL statement_timeout = 0; SET LOCAL datestyle = 'ISO, YMD'");
      const names = quoted(tables.map(({ name }) => name));
      await client.query(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
    },
    async fill({ name, columns, rows }, content) {
      const filling = client.query(
        copyFrom(`COPY ${quoted([name])} (${quoted(columns)}) FROM STDIN`),
      );
      await pipeline(content, filling);
      if (filling.rowCount !== rows)
        throw new Error(`${name} took ${filling.rowCount} rows of the backup's ${rows}`);
    },
    async commit({ taken_at }) {
      await jumpFeeds(client);
      await endSessions(client);
      await client.query("INSERT INTO restores (id, taken_at) VALUES ($1, $2)", [
        newId("rst"),
        taken_at,
      ]);
      await client.query("COMMIT");
      // Without statistics the first queries would be planned for empty tables.
      await client.query("ANALYZE");
    },
    close: () => client.end(),
  };
}

/**
 * Readers were told positions behind the backup's, and the sequence that orders events goes on behind what was
 * loaded; the table of those that wait is there since migration 0067. A database of a release before feeds has neither.
 */
async function jumpFeeds(client: pg.Client): Promise<void> {
  const tables = await listTables(client);
  if (!tables.includes("event_feeds")) return;
  const own = tables.filter((name) => name === "events" || name === "event_outbox");
  const last = own.map((name) => `(SELECT max(made) FROM ${quoted([name])})`).join();
  await client.query(`SELECT setval('events_made', greatest(0, ${last}) + 1, false)`);
  await client.query("SELECT jump_feeds($1)", [byShell.actor]);
}

/** A session that was ended, or a link that was used, after the backup must not come back. */
async function endSessions(client: pg.Client): Promise<void> {
  const tables = await listTables(client);
  for (const name of ["sessions", "one_time_links", "device_logins"])
    if (tables.includes(name)) await client.query(`DELETE FROM ${quoted([name])}`);
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

async function findOccupants(client: pg.Client): Promise<string[]> {
  const tables = await listTables(client);
  if (tables.length > 0 && !tables.includes("migration_checksums")) {
    return [`tables that are not Waybill's: ${tables.join(", ")}`];
  }
  const found: string[] = [];
  for (const name of tables.filter((each) => !ownRows.includes(each))) {
    // The row of a process that has ended does not count.
    const living = name === "processes" ? "WHERE heartbeat_at > now() - interval '1 minute'" : "";
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${quoted([name])} ${living}`,
    );
    const count = rows[0]!.count;
    if (count > 0) found.push(`${count} ${count === 1 ? "row" : "rows"} in ${name}`);
  }
  return found;
}
