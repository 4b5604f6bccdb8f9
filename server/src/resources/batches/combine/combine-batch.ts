import { createHash } from "node:crypto";
import type { Platform } from "../../../context.ts";
import type { LabelFile } from "../../../documents/combine-labels.ts";
import { combineInThreads } from "../../../purchasing/labels/combine-in-threads.ts";
import { isLabel, readDocument } from "../../../purchasing/labels/read-document.ts";
import * as store from "./combine-store.ts";

/**
 * Makes the one file of a finished batch's labels, for printing them all (decision 11): one batch at a time
 * in each process, round-robin over the accounts. Returns whether there was one.
 */
export async function combineNext(platform: Platform, signal: AbortSignal): Promise<boolean> {
  const { db, process_id, config, log } = platform;
  const batch = await store.takeDue(db, { process_id, lease_seconds: config.lease_seconds });
  if (!batch) return false;
  try {
    const file = await combine(platform, batch, signal);
    await store.storeCombined(db, batch, { process_id, file });
  } catch (error) {
    if (!signal.aborted) log.error({ batch_id: batch.id, err: error }, "batch.not_combined");
    const pause_seconds = signal.aborted ? 0 : retrySeconds;
    await store.combineLater(db, batch, { process_id, pause_seconds });
  }
  return true;
}

const retrySeconds = 60;

/** The file, whose key follows from its content; null when no label is left. */
async function combine(
  platform: Platform,
  batch: store.DueBatch,
  signal: AbortSignal,
): Promise<store.CombinedFile | null> {
  const combined = await combineInThreads(platform, labelsOf(platform, batch, signal), batch);
  if (!combined) return null;
  const { format, bytes } = combined;
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const file_key = `${batch.account_id}/batches/${batch.id}-${digest}.${format}`;
  return { file_key, ...(await platform.files.write(file_key, bytes)) };
}

const readAtOnce = 200;

/**
 * The labels in the order of the batch, read one after the other: for freight those of its pallets. Throws
 * when the process stops.
 */
async function* labelsOf(
  platform: Platform,
  batch: store.DueBatch,
  signal: AbortSignal,
): AsyncGenerator<LabelFile> {
  for (let after = 0; ;) {
    const labels = await store.nextLabels(platform.db, batch, { after, limit: readAtOnce });
    for (const { ship_code: name, shipment_id, documents } of labels) {
      signal.throwIfAborted();
      const label = documents.find((document) => isLabel(document, batch.label_format));
      const bytes = label
        ? await readDocument(platform, { account_id: batch.account_id, shipment_id }, label)
        : null;
      if (label && bytes) yield { name, format: label.format, bytes };
      // An operator may have found a label without its file. A PDF page can state that; ZPL has no pages.
      else if (batch.label_format !== "zpl") yield { name, format: "pdf", bytes: Buffer.alloc(0) };
    }
    const last = labels.at(-1);
    if (!last || labels.length < readAtOnce) return;
    after = last.place;
  }
}
