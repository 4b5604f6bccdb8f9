import { readFileSync } from "node:fs";
import { backUp, backUpToFile } from "../backup/backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/restore.ts";
import type { Config } from "../config.ts";
import { refuseUnwritable, withInput } from "./files.ts";
import { lineOf } from "../ledger/verify.ts";
import { findDatabase } from "../wiring/open-database.ts";
import { openFiles, locationOfFiles } from "../wiring/open-files.ts";
import { prepareDataDirectory } from "../wiring/secret.ts";

/**
 * `waybill backup` and `waybill restore` as an operator types them. Their messages go to the standard error,
 * because the standard output may be the backup itself.
 */

export async function backUpInto(config: Config, file: string): Promise<void> {
  if (file !== "-") refuseUnwritable(file);
  await withDatabaseUrl(config, { must_exist: true }, async (url) => {
    const job = { url, files: labelFiles(config), waybill_version: ownVersion() };
    const manifest =
      file === "-" ? await backUp(job, process.stdout) : await backUpToFile(job, file);
    say(`Backed up ${contentsOf(manifest)}, as they were at ${manifest.taken_at}.`);
    const { missing } = manifest.files;
    if (missing.length > 0) {
      say(`These label files are not in ${locationOfFiles(config)}, and so not in the backup:`);
      for (const key of missing) say(`  ${key}`);
    }
    say("Not in the backup, and needed to restore it:");
    for (const sentence of manifest.keep_beside) say(`  ${sentence}`);
  });
}

export async function restoreFrom(config: Config, file: string): Promise<void> {
  // Only opened: the backup is read twice, each time from its beginning.
  await withInput(file, () => restoreOpened(config, file));
}

async function restoreOpened(config: Config, file: string): Promise<void> {
  // For the label files, also where the database is elsewhere.
  prepareDataDirectory(config);
  await withDatabaseUrl(config, { must_exist: false }, async (url) => {
    const job = { url, path: file, files: labelFiles(config) };
    const { manifest, contradictions, damaged_files } = await restoreBackup(job);
    say(`Restored ${contentsOf(manifest)}, as they were at ${manifest.taken_at}.`);
    for (const contradiction of contradictions) {
      say(`The books contradicted themselves before: ${lineOf(contradiction)}`);
    }
    for (const { account_id, subject, expected, found } of damaged_files) {
      const before =
        found === "missing" ? "was not in the backup" : "was damaged when it was backed up";
      say(`A file of ${subject} (${account_id}) ${before}: ${expected}`);
    }
    if (damaged_files.length > 0)
      say(
        "A label among them is fetched again from its carrier when it is asked for, and a document is drawn again.",
      );
    if (contradictions.length + damaged_files.length > 0) process.exitCode = 1;
    say("Nothing is bought, voided or charged until you have run: waybill reconcile");
  });
}

function contentsOf({ tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables and ${files.count} label files`;
}

/** Read and written by key: no link is signed, so no secret is needed. */
function labelFiles(config: Config) {
  return openFiles(config, { secret: "", public_url: () => "" });
}

function ownVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

async function withDatabaseUrl(
  config: Config,
  options: { must_exist: boolean },
  work: (url: string) => Promise<void>,
) {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    await work(await findDatabase(config, undo, options));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

function say(text: string): void {
  console.error(text);
}
