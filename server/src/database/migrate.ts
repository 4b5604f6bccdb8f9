import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database } from "./tables.ts";

/**
 * Brings the database to the schema of this release: the numbered `.sql` files of `server/migrations/`,
 * in order, forward only, under Kysely's lock, so that processes that start together do not collide.
 */

const folder = fileURLToPath(new URL("../../migrations", import.meta.url));

/**
 * Throws when the database is newer than this release, or an applied file has been edited since. What
 * is new is applied in one transaction: a migration that fails leaves the schema as it was.
 */
export async function migrate(
  db: Database,
  files: readonly MigrationFile[] = readMigrations(),
): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migration_checksums (name text PRIMARY KEY, checksum text NOT NULL)`
    .execute(db)
    .catch(ignoreRace);
  await refuseUnknown(db, files);
  const provider = {
    getMigrations: async () =>
      Object.fromEntries(files.map((file) => [file.name, toMigration(file)])),
  };
  const { error } = await new Migrator({
    db,
    provider,
    migrationTableName: "migrations",
    migrationLockTableName: "migration_lock",
  }).migrateToLatest();
  if (error)
    throw error instanceof Error ? error : new Error("the migration failed", { cause: error });
}

export interface MigrationFile {
  name: string;
  text: string;
  checksum: string;
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

function toMigration({ name, text, checksum }: MigrationFile): Migration {
  return {
    async up(db) {
      await sql.raw(text).execute(db);
      await sql`INSERT INTO migration_checksums VALUES (${name}, ${checksum})`.execute(db);
    },
  };
}

async function refuseUnknown(db: Database, files: readonly MigrationFile[]): Promise<void> {
  const { rows } = await sql<{
    name: string;
    checksum: string;
  }>`SELECT name, checksum FROM migration_checksums`.execute(db);
  for (const { name, checksum } of rows) {
    const file = files.find((each) => each.name === name);
    if (!file)
      throw new Error(
        `the database has ${name}, which this release does not know: it is newer than the code`,
      );
    if (file.checksum !== checksum)
      throw new Error(`${name} was edited after it had been applied; write a new migration`);
  }
}

/** Two processes that create the same table at once: one of them is told that it is there. */
function ignoreRace(error: unknown): void {
  const { code } = error as { code?: string };
  if (!["23505", "42P07", "42710"].includes(code ?? "")) throw error;
}
