import { createHash } from "node:crypto";
import type { LabelFile } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import type { StoredManifestFile } from "../../database/tables.ts";
import { timeOfId } from "../../domain/values/ids.ts";
import { lookupSeconds, withDeadline } from "../../outbound/deadline.ts";
import type { Attempt, StoredFiles } from "../../outbound/operation.ts";
import { checkFile } from "../../providers/files/check-file.ts";
import { isLabelFile } from "../../purchasing/labels/label-files.ts";
import { environmentOf } from "../../purchasing/labels/store.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import type { ManifestInput } from "./manifest-input.ts";
import * as store from "./store.ts";

/**
 * The documents of a manifest, as its carrier sent them. Their keys follow from the attempt and from their bytes, so
 * that storing them twice keeps one of each.
 */

/** Begins to write the files that print: they are on stable storage once `stored` resolves. */
export async function startManifestFiles(
  { files: disk, log }: Pick<Platform, "files" | "log">,
  { account_id, id, sent_at, input }: Attempt<ManifestInput>,
  sent: readonly LabelFile[],
): Promise<StoredFiles & { documents: StoredManifestFile[] }> {
  const { manifest_id } = input;
  const of = { account_id, manifest_id, reference: id, at: sent_at };
  const documents: StoredManifestFile[] = [];
  const started: Promise<void>[] = [];
  for (const file of sent) {
    if (!isLabelFile(file)) {
      log.error({ account_id, manifest_id, format: file.format }, "manifest.file_incomplete");
      continue;
    }
    const file_key = keyOf(of, file);
    const { stored, ...digest } = await disk.startWrite(file_key, file.bytes);
    started.push(stored);
    documents.push({ format: file.format, file_key, ...digest });
  }
  const stored = Promise.all(started);
  // The settlement may fail before it waits for this.
  stored.catch(() => undefined);
  return { documents, stored };
}

/** One folder for each day (UTC): a folder for each manifest would have to be synced, too. */
function keyOf(
  of: { account_id: string; manifest_id: string; reference: string; at: Date },
  { format, bytes }: Pick<LabelFile, "format" | "bytes">,
): string {
  const day = of.at.toISOString().slice(0, 10);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return `${of.account_id}/manifests/${day}/${of.manifest_id}-${of.reference}-${digest}.${format}`;
}

/**
 * Gets the documents from the carrier that are not here: it had none when the manifest was made, or they were lost or
 * damaged since. Returns the manifest as it is then. Never throws: what cannot be had now is logged, and asked for
 * again at the next request.
 */
export async function mendManifest(
  platform: Platform,
  manifest: store.WholeManifest,
): Promise<store.WholeManifest> {
  const parts: store.PartRow[] = [];
  for (const part of manifest.parts) {
    try {
      const isMissing = part.status === "created" && !(await isWhole(platform, part));
      parts.push(isMissing ? await fetchAgain(platform, manifest, part) : part);
    } catch (error) {
      const { account_id, manifest_id } = part;
      platform.log.warn({ account_id, manifest_id, err: error }, "manifest.file_not_fetched");
      parts.push(part);
    }
  }
  return { ...manifest, parts };
}

async function isWhole({ files }: Platform, { documents }: store.PartRow): Promise<boolean> {
  if (documents.length === 0) return false;
  for (const document of documents)
    if ((await checkFile(files, document)) !== "intact") return false;
  return true;
}

async function fetchAgain(
  platform: Platform,
  { carrier }: store.WholeManifest,
  part: store.PartRow,
): Promise<store.PartRow> {
  const { account_id, manifest_id, connection_id, reference, carrier_manifest_id } = part;
  const { manifests } = platform.carriers.get(carrier);
  if (!manifests || reference === null || carrier_manifest_id === null) return part;
  const { carrier_data, ship_date } = part;
  const environment = await environmentOf(platform.db, account_id);
  const context = await contextOn(platform, { account_id, environment, connection_id });
  platform.metrics.carrier_calls.inc({ carrier, operation: "fetch_manifest" });
  const ref = { context, reference, carrier_manifest_id, carrier_data, ship_date };
  const sent = await withDeadline(lookupSeconds, (signal) => manifests.files(ref, signal));
  const of = { account_id, manifest_id, reference, at: timeOfId(manifest_id) };
  const documents: StoredManifestFile[] = [];
  for (const file of sent.filter(isLabelFile)) {
    const file_key = keyOf(of, file);
    documents.push({
      format: file.format,
      file_key,
      ...(await platform.files.write(file_key, file.bytes)),
    });
  }
  // A carrier that returns its documents once has none: what is listed stays.
  if (documents.length === 0) return part;
  await store.recordDocuments(platform.db, part, documents);
  return { ...part, documents };
}
