import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import { extract, pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUpToFile } from "../../src/backup/backup.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { aBackupJob, filesIn, withRestored } from "../backups.ts";
import { bareDatabase, type TestDatabase } from "../setup/database.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform } from "../world.ts";

/** A backup that differs from the one that was written restores nothing and changes nothing. */

let folder: string;
let path: string;
let whole: Buffer;
let bare: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waybill-damage-"));
  path = join(folder, "small.tar.gz");
  bare = await bareDatabase();
  const world = await aPlatform();
  const account = await anAccount(world);
  await account.bought((await account.create(aShipment())).id);
  await backUpToFile(aBackupJob(world), path);
  await world.close();
  whole = await readFile(path);
});
afterAll(async () => {
  await bare.close();
  await rm(folder, { recursive: true, force: true });
});

test("a backup is refused when it was cut short, anywhere, and changes nothing", async () => {
  for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 40))
    await expectRefused(whole.subarray(0, length));
  for (const missing of [1, 8, 9]) await expectRefused(whole.subarray(0, whole.length - missing));
});

test("a backup is refused when one bit of it differs, anywhere, and changes nothing", async () => {
  // The first ten bytes have the kind of file and the time of packing, none of its content.
  for (let at = 10; at < whole.length; at += Math.ceil(whole.length / 40)) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 0x10;
    await expectRefused(flipped);
  }
});

test("a backup is refused when an entry was renamed, left out, doubled, swapped or edited", async () => {
  type Edit = (entry: Entry, index: number) => Entry[];
  const named = ({ content }: Entry, name: string): Entry => ({ name, content });
  const edits: Record<string, Edit> = {
    renamed_table: (entry) => [
      entry.name === "tables/events.copy" ? named(entry, "tables/holds.copy") : entry,
    ],
    renamed_file: (entry) => [
      entry.name.startsWith("files/") ? named(entry, "files/acc/other.pdf") : entry,
    ],
    unknown: (entry) => [entry.name === "tables/events.copy" ? named(entry, "rows/events") : entry],
    left_out: (entry) => (entry.name === "tables/holds.copy" ? [] : [entry]),
    without_manifest: (entry) => (entry.name === "manifest.json" ? [] : [entry]),
    doubled: (entry) => (entry.name === "tables/accounts.copy" ? [entry, entry] : [entry]),
    after_the_end: (entry) =>
      entry.name === "manifest.json" ? [entry, named(entry, "files/late.pdf")] : [entry],
    edited: (entry) => [
      entry.name === "tables/balances.copy"
        ? {
            ...entry,
            content: Buffer.from(entry.content.toString().replace(/\d\t0\t/, "9\t0\t")),
          }
        : entry,
    ],
    newer: (entry) => [
      entry.name === "manifest.json"
        ? withText(entry, (text) => text.replace("0001_foundation", "0001_foundations"))
        : entry,
    ],
    newer_format: (entry) => [
      entry.name === "manifest.json"
        ? withText(entry, (text) => text.replace("waybill-backup/1", "waybill-backup/2"))
        : entry,
    ],
  };
  const refusals: Record<string, RegExp> = {
    renamed_table: /has tables\/holds.copy twice/,
    renamed_file: /label files are damaged/,
    unknown: /an entry called rows\/events/,
    left_out: /lacks the table holds/,
    without_manifest: /has no manifest/,
    doubled: /has tables\/accounts.copy twice/,
    after_the_end: /goes on after its manifest/,
    edited: /table balances is damaged/,
    newer: /0001_foundations.sql, which this release does not have/,
    newer_format: /this release reads waybill-backup\/1/,
  };
  for (const [name, edit] of Object.entries(edits)) {
    const edited = join(folder, `${name}.tar.gz`);
    const before = await entriesOf(path);
    const after = before.flatMap(edit);
    expect(after, name).not.toEqual(before);
    await writeEntries(edited, after);
    await expectRefused(await readFile(edited), refusals[name]);
  }
  // The same tools on an untouched archive restore it: the edit is what is refused.
  const copied = join(folder, "copied.tar.gz");
  await writeEntries(copied, await entriesOf(path));
  await withRestored(copied, async ({ db }) => {
    expect(await db.selectFrom("organizations").select("id").execute()).not.toEqual([]);
  });
});

/** Nothing may change, so the one database serves for all that must be refused. */
async function expectRefused(bytes: Buffer, why = /damaged|manifest/): Promise<void> {
  const path = join(folder, "damaged.tar.gz");
  await writeFile(path, bytes);
  const data_dir = await mkdtemp(join(folder, "refused-"));
  const restoring = restoreBackup({ url: bare.url, path, files: filesIn(data_dir) });
  await expect(restoring).rejects.toThrow(why);
  const { rows } = await sql`
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`.execute(bare.db);
  expect(rows).toEqual([]);
  expect(await readdir(data_dir)).toEqual([]);
}

interface Entry {
  name: string;
  content: Buffer;
}

function withText(entry: Entry, change: (text: string) => string): Entry {
  return { ...entry, content: Buffer.from(change(entry.content.toString())) };
}

async function entriesOf(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const tar = extract();
  const flowing = pipeline(createReadStream(path), createGunzip(), tar);
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push({ name: entry.header.name, content: Buffer.concat(chunks) });
  }
  await flowing;
  return entries;
}

async function writeEntries(path: string, entries: Entry[]): Promise<void> {
  const tar = pack();
  for (const { name, content } of entries) tar.entry({ name }, content);
  tar.finalize();
  await pipeline(tar, createGzip(), createWriteStream(path));
}
