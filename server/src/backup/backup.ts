import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Files } from "../providers/files/files.ts";
import { syncFolder } from "../providers/files/sync-folder.ts";
import { writeArchive, type ArchiveWriter } from "./archive.ts";
import { digesting, digestOfFiles } from "./digest.ts";
import {
  backupFormat,
  fileEntry,
  keepBeside,
  manifestName,
  tableEntry,
  type BackedUpTable,
  type Manifest,
} from "./manifest.ts";
import { openSnapshot, type Snapshot, type TableShape } from "./snapshot-store.ts";

/**
 * `waybill backup`: every row in one snapshot, and the files that those rows refer to, while Waybill goes on
 * serving. A label's file is written before its purchase commits and is never changed, so files that are
 * copied after the snapshot are all there.
 */

export interface BackupJob {
  url: string;
  files: Pick<Files, "read">;
  waybill_version: string;
}

/**
 * Writes the backup to a file of mode 0600, replacing one of that name. It has a temporary name until it is
 * complete and on the disk, so that a backup that was killed is never taken for a complete one.
 */
export async function backUpToFile(job: BackupJob, path: string): Promise<Manifest> {
  const target = resolve(path);
  const partial = `${target}.${randomBytes(4).toString("hex")}.partial`;
  // Opened here, where its error can be thrown: a stream would report it before anything listens.
  const out = (await open(partial, "wx", 0o600)).createWriteStream({ flush: true });
  try {
    const manifest = await backUp(job, out, dirname(target));
    await rename(partial, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    out.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes the backup to a stream. `scratch` is a folder with room for the largest table. */
export async function backUp(
  job: BackupJob,
  out: Writable,
  scratch: string = tmpdir(),
): Promise<Manifest> {
  // Made with mode 0700: what is spooled there is as secret as the backup.
  const spool = await mkdtemp(join(scratch, ".waybill-backup-"));
  let snapshot: Snapshot | null = null;
  try {
    snapshot = await openSnapshot(job.url);
    const archive = writeArchive(out, snapshot.taken_at);
    const tables: BackedUpTable[] = [];
    for (const table of snapshot.tables) {
      tables.push(await addTable(archive, { snapshot, table, spool }));
    }
    const keys = join(spool, "file-keys");
    await pipeline(snapshot.fileKeys(), createWriteStream(keys));
    // Copying the label files may take hours; an open snapshot would keep PostgreSQL from vacuuming.
    await snapshot.close();
    const files = await addFiles(archive, job.files, keys);
    const { taken_at, postgres_version, migrations } = snapshot;
    const manifest: Manifest = {
      format: backupFormat,
      waybill_version: job.waybill_version,
      postgres_version,
      taken_at: taken_at.toISOString(),
      migrations,
      tables,
      files,
      keep_beside: [...keepBeside],
    };
    await addText(archive, manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
    await archive.finish();
    return manifest;
  } finally {
    await snapshot?.close();
    await rm(spool, { recursive: true, force: true });
  }
}

/** An entry's header states its size, so a table is spooled to learn it. */
async function addTable(
  archive: ArchiveWriter,
  { snapshot, table, spool }: { snapshot: Snapshot; table: TableShape; spool: string },
): Promise<BackedUpTable> {
  const path = join(spool, "table");
  const measure = digesting();
  await pipeline(snapshot.rowsOf(table), measure, createWriteStream(path));
  const { bytes, lines, sha256 } = measure.digest();
  await archive.add({ name: tableEntry(table.name), size: bytes }, createReadStream(path));
  return { ...table, rows: lines, bytes, sha256 };
}

async function addFiles(
  archive: ArchiveWriter,
  files: Pick<Files, "read">,
  keys: string,
): Promise<Manifest["files"]> {
  const measure = digestOfFiles();
  const missing: string[] = [];
  for await (const key of createInterface({ input: createReadStream(keys) })) {
    const content = await files.read(key);
    // A file that is already lost must not prevent the backup of all the rest.
    if (!content) {
      missing.push(key);
      continue;
    }
    measure.add(key, content);
    await archive.add({ name: fileEntry(key), size: content.length }, Readable.from([content]));
  }
  return { ...measure.digest(), missing };
}

async function addText(archive: ArchiveWriter, name: string, text: string): Promise<void> {
  const content = Buffer.from(text);
  await archive.add({ name, size: content.length }, Readable.from([content]));
}
