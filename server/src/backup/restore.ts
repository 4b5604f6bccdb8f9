import { connect, type Connection } from "../database/connect.ts";
import { migrate, readMigrations, type MigrationFile } from "../database/migrate.ts";
import { verifyFiles } from "../ledger/verify-files.ts";
import { verifyLedger, type Contradiction } from "../ledger/verify.ts";
import { checkFile } from "../providers/files/check-file.ts";
import type { Files } from "../providers/files/files.ts";
import { checkBackup, readBackup } from "./check.ts";
import type { Manifest } from "./manifest.ts";
import { openTarget, type Target } from "./restore-store.ts";

/**
 * `waybill restore`: the rows and files of a backup into an empty database. The file is read twice: once to
 * verify that it is complete, before anything is changed, and once to load it in one transaction. The
 * database is marked as restored: until it is reconciled with what the carriers and the card processor have,
 * nothing new is asked of them (`outbound/`).
 */

export interface Restored {
  manifest: Manifest;
  /** In the ledger as it was backed up: the checksums prove that the restore did not cause them. */
  contradictions: Contradiction[];
  /**
   * Files that differ from their rows' size and SHA-256. The backup's own checksums are of the files as it
   * found them, which may have been damaged by then.
   */
  damaged_files: Contradiction[];
}

interface RestoreJob {
  url: string;
  path: string;
  files: Pick<Files, "write" | "open">;
}

/**
 * Throws a message for the operator, having changed nothing but an empty schema, when the file is damaged or
 * of a newer release, or the database is not empty.
 */
export async function restoreBackup({ url, path, files }: RestoreJob): Promise<Restored> {
  const checked = await checkBackup(path);
  const migrations = migrationsOf(checked);
  const target = await openTarget(url);
  const connection = connect({
    url,
    connections_max: 2,
    application_name: "waybill restore",
    statement_timeout_ms: 0,
  });
  try {
    await refuseOccupied(target);
    await refuseNewer(target, checked);
    await migrate(connection.db, migrations);
    const manifest = await load(target, { path, checked, files });
    const contradictions = await bringUpToDate(connection);
    const damaged_files = await verifyFiles(connection.db, (file) => checkFile(files, file));
    return { manifest, contradictions, damaged_files };
  } finally {
    // Ends the transaction, too, if it is still open.
    await target.close();
    await connection.close();
  }
}

/** The migrations that made the backup's schema. Throws when this release does not have the same ones. */
function migrationsOf({ migrations, waybill_version }: Manifest): MigrationFile[] {
  const known = readMigrations();
  return migrations.map(({ name, checksum }, index) => {
    const file = known[index];
    if (file?.name === name && file.checksum === checksum) return file;
    throw new Error(
      `the backup was made by Waybill ${waybill_version} with the migration ${name}, which this release does not have: restore it with that release or a later one`,
    );
  });
}

async function refuseOccupied(target: Target): Promise<void> {
  const occupants = await target.occupants();
  if (occupants.length > 0) {
    throw new Error(
      `a backup is restored into an empty database, and this one has ${occupants.join(", ")}`,
    );
  }
}

async function refuseNewer(target: Target, { migrations }: Manifest): Promise<void> {
  const applied = await target.appliedMigrations();
  const later = applied.find((name) => !migrations.some((each) => each.name === name));
  if (later) {
    throw new Error(
      `the database is empty but has ${later}, which is later than the backup: drop it and create it anew`,
    );
  }
}

/** The order of files and rows does not matter: until the commit no row refers to the files. */
async function load(
  target: Target,
  { path, checked, files }: { path: string; checked: Manifest; files: Pick<Files, "write"> },
): Promise<Manifest> {
  await target.begin(checked.tables);
  // Waybill may have been started on it since the check.
  await refuseOccupied(target);
  const manifest = await readBackup(path, {
    async table(name, content) {
      const table = checked.tables.find((each) => each.name === name);
      if (!table) throw new Error("the backup was changed while it was being restored");
      await target.fill(table, content);
    },
    file: async (key, content) => void (await files.write(key, content)),
  });
  await target.commit(manifest);
  return manifest;
}

async function bringUpToDate({ db }: Connection): Promise<Contradiction[]> {
  await migrate(db);
  return verifyLedger(db);
}
