import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { BackupJob } from "../src/backup/backup.ts";
import type { Manifest } from "../src/backup/manifest.ts";
import { restoreBackup } from "../src/backup/restore.ts";
import type { Database } from "../src/database/tables.ts";
import { filesOnDisk } from "../src/providers/files/disk.ts";
import { bareDatabase } from "./setup/database.ts";
import type { World } from "./world.ts";

/** The label files of a data directory, to be read and written by key. */
export function filesIn(data_dir: string) {
  return filesOnDisk({
    folder: join(data_dir, "files"),
    secret: "",
    public_url: () => "",
    url_valid_minutes: 0,
  });
}

export function aBackupJob({
  database_url,
  data_dir,
}: Pick<World, "database_url" | "data_dir">): BackupJob {
  return { url: database_url, files: filesIn(data_dir), waybill_version: "0.0.0-test" };
}

/** Restores a file into a new database, which is passed to `look`. */
export async function withRestored(
  path: string,
  look: (copy: Copy) => Promise<void>,
): Promise<void> {
  const database = await bareDatabase();
  const data_dir = await mkdtemp(join(tmpdir(), "waybill-restored-"));
  try {
    const { manifest, contradictions, damaged_files } = await restoreBackup({
      url: database.url,
      path,
      files: filesIn(data_dir),
    });
    expect([contradictions, damaged_files]).toEqual([[], []]);
    await look({ db: database.db, data_dir, manifest });
  } finally {
    await database.close();
    await rm(data_dir, { recursive: true, force: true });
  }
}

export interface Copy {
  db: Database;
  data_dir: string;
  manifest: Manifest;
}
