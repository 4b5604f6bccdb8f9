import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Database, Tx } from "./tables.ts";

/**
 * Brings the database to the schema of this release: the numbered `.sql` files of `server/migrations/`, in
 * order, forward only, by one process at a time. Each is applied in a transaction of its own, so that its
 * locks are held for no longer than it takes: processes of the previous release continue to work (ADR 21).
 *
 * Lines of a file may state its properties:
 *
 * - `-- compatible with 0036`: releases whose newest migration is 0036, or a later one, work with its schema;
 * - `-- no transaction`: its statements, each of which ends with a semicolon at the end of a line, are sent
 *   one by one, as `CREATE INDEX CONCURRENTLY` needs. They are all sent again when one fails, so each has to
 *   be repeatable.
 */

const folder = fileURLToPath(new URL("../../migrations", import.meta.url));

/** Held by the process that migrates; any number that no other advisory lock of this database has. */
const lockKey = 20_261_123;
/** How often a process checks whether another one has finished migrating, and retries the lock on a table. */
const pauseMs = 250;
/** Statements on a table queue behind a lock that waits for it: so a migration gives way, and retries. */
const lockTimeoutMs = 1000;
const lockTriesMax = 240;
/** A statement that takes longer blocks others for so long that it has to be split. */
const statementTimeoutMs = 3_600_000;

export interface MigrationFile {
  name: string;
  text: string;
  checksum: string;
}

/**
 * Throws when the database has a migration that this release neither knows nor is compatible with, or an
 * applied file has been edited since. A migration that fails leaves no trace; those before it stay.
 */
export async function migrate(
  db: Database,
  files: readonly MigrationFile[] = readMigrations(),
): Promise<void> {
  await openRecord(db);
  const applied = await readRecord(db);
  refuseUnusable(applied, files);
  const names = new Set(applied.map(({ name }) => name));
  for (const file of files.filter(({ name }) => !names.has(name))) await applyInTurn(db, file);
}

/** The migrations of this release, oldest first. */
export function readMigrations(): MigrationFile[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    });
}

/** The table of applied migrations. Databases from before 0037 have it without `compatible_with`. */
async function openRecord(db: Database): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS migration_checksums (name text PRIMARY KEY, checksum text NOT NULL, compatible_with text)`
    .execute(db)
    .catch(ignoreRace);
  const { rows } = await sql`
    SELECT FROM pg_attribute
    WHERE attrelid = 'migration_checksums'::regclass AND attname = 'compatible_with'`.execute(db);
  if (rows.length === 0)
    await sql`ALTER TABLE migration_checksums ADD COLUMN IF NOT EXISTS compatible_with text`.execute(
      db,
    );
}

/** Two processes that create the same table at once: one of them gets an error that it exists. */
function ignoreRace(error: unknown): void {
  const { code } = error as { code?: string };
  if (!["23505", "42P07", "42710"].includes(code ?? "")) throw error;
}

interface Applied {
  name: string;
  checksum: string;
  /** The number of a migration; null when only releases that know this one work with it. */
  compatible_with: string | null;
}

async function readRecord(db: Database | Tx): Promise<Applied[]> {
  const { rows } = await sql<Applied>`
    SELECT name, checksum, compatible_with FROM migration_checksums`.execute(db);
  return rows;
}

function refuseUnusable(applied: readonly Applied[], files: readonly MigrationFile[]): void {
  const newest = files.at(-1)?.name.slice(0, 4) ?? "";
  for (const { name, checksum, compatible_with } of applied) {
    const file = files.find((each) => each.name === name);
    if (file && file.checksum !== checksum)
      throw new Error(`${name} was edited after it had been applied; write a new migration`);
    if (!file && (compatible_with === null || compatible_with > newest))
      throw new Error(
        `the database has ${name}, which this release does not know: it is newer than the code`,
      );
  }
}

/** Applies the file, unless another process is doing so. Throws its error. */
async function applyInTurn(db: Database, file: MigrationFile): Promise<void> {
  for (let tries = 1; ; await wait(pauseMs)) {
    try {
      if (await applyAlone(db, file)) return;
    } catch (error) {
      const isLocked = (error as { code?: string }).code === "55P03";
      if (!isLocked || ++tries > lockTriesMax) throw error;
    }
  }
}

/**
 * False while another process migrates. Waiting for its lock would make its `CREATE INDEX CONCURRENTLY` wait
 * for this process.
 */
async function applyAlone(db: Database, file: MigrationFile): Promise<boolean> {
  const { name, text, checksum } = file;
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ is_ours: boolean }>`
      SELECT pg_try_advisory_xact_lock(${lockKey}) AS is_ours`.execute(tx);
    if (!rows[0]!.is_ours) return false;
    const applied = await readRecord(tx);
    if (applied.some((each) => each.name === name)) return true;
    if (markOf(text, "no transaction") === null) {
      await sql`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
        set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(tx);
      await sql.raw(text).execute(tx);
    } else for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
    const compatible_with = markOf(text, "compatible with (\\d{4})");
    await sql`
      INSERT INTO migration_checksums (name, checksum, compatible_with)
      VALUES (${name}, ${checksum}, ${compatible_with})`.execute(tx);
    return true;
  });
}

/** The value of a mark in the file, or the mark itself; null when the file does not have it. */
function markOf(text: string, mark: string): string | null {
  const found = new RegExp(`^-- ${mark}$`, "m").exec(text);
  return found && (found[1] ?? found[0]);
}

function statementsOf(text: string): string[] {
  const statements = text.replaceAll(/^--.*$/gm, "").split(/;\s*$/m);
  return statements.filter((statement) => statement.trim() !== "");
}
