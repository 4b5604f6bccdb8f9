import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readArchive, readWhole } from "./archive.ts";
import { digesting, digestOfFiles, type Digest } from "./digest.ts";
import { kindOf, readManifest, type Manifest } from "./manifest.ts";

const manifestBytesMax = 64 * 1024 * 1024;
const fileBytesMax = 64 * 1024 * 1024;

/** What is done with an entry while it is read. The stream must be read to its end. */
export interface Taking {
  table(name: string, content: Readable): Promise<void>;
  file(key: string, content: Buffer): Promise<void>;
}

/**
 * Reads a backup from its first byte to its last and verifies that it is the one that was written: every
 * entry, its order and its digest. Throws a message for the operator when anything differs, but only after
 * `taking` was given the entries; what it did with them must not count until this resolves.
 *
 * The digests detect damage, not tampering: a manifest can be forged along with the file.
 */
export async function readBackup(path: string, taking: Taking): Promise<Manifest> {
  const tables = new Map<string, Digest>();
  const files = digestOfFiles();
  let manifest: Manifest | null = null;
  await readArchive(path, async (name, content) => {
    if (manifest) throw new Error("the backup goes on after its manifest");
    const entry = kindOf(name);
    if (entry.kind === "manifest") {
      manifest = readManifest((await readWhole(content, manifestBytesMax)).toString());
    } else if (entry.kind === "file") {
      const bytes = await readWhole(content, fileBytesMax);
      files.add(entry.key, bytes);
      await taking.file(entry.key, bytes);
    } else {
      if (tables.has(entry.table)) throw new Error(`the backup has ${name} twice`);
      const measure = digesting();
      await Promise.all([pipeline(content, measure), taking.table(entry.table, measure)]);
      tables.set(entry.table, measure.digest());
    }
  });
  if (!manifest) throw new Error("the backup has no manifest: it was not written to its end");
  compareTables(manifest, tables);
  compareFiles(manifest, files.digest());
  return manifest;
}

/** The same without using the entries: whether a file can be restored. */
export function checkBackup(path: string): Promise<Manifest> {
  return readBackup(path, {
    async table(_name, content) {
      for await (const _chunk of content);
    },
    async file() {},
  });
}

function compareTables(manifest: Manifest, found: Map<string, Digest>): void {
  for (const { name, bytes, rows, sha256 } of manifest.tables) {
    const digest = found.get(name);
    if (!digest) throw new Error(`the backup lacks the table ${name}`);
    found.delete(name);
    if (digest.sha256 !== sha256 || digest.bytes !== bytes || digest.lines !== rows)
      throw new Error(`the backup's table ${name} is damaged`);
  }
  for (const name of found.keys())
    throw new Error(`the backup has a table ${name} that is not in its manifest`);
}

function compareFiles(manifest: Manifest, found: Omit<Manifest["files"], "missing">): void {
  const { count, bytes, sha256 } = manifest.files;
  if (found.count !== count || found.bytes !== bytes || found.sha256 !== sha256)
    throw new Error("the backup's label files are damaged, or not the ones that were backed up");
}
