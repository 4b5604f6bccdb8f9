import { createHash } from "node:crypto";
import type { Platform } from "../../../context.ts";
import type { StoredDocument } from "../../../database/tables.ts";
import { combineLabels, type LabelFile } from "../../../documents/combine-labels.ts";
import * as store from "./combine-store.ts";

/**
 * Makes the one file of a finished batch's labels, for whoever prints them all (decision 11): one batch
 * at a time in each process, in the order in which they ended. Returns whether there was one.
 */
export async function combineNext(platform: Platform, signal: AbortSignal): Promise<boolean> {
  const { db, process_id, config, log } = platform;
  await store.letGoOfAll(db, process_id);
  const batch = await store.takeDue(db, { process_id, lease_seconds: config.lease_seconds });
  if (!batch) return false;
  try {
    const file_key = await combine(platform, batch, signal);
    await store.keepCombined(db, batch, { process_id, file_key });
  } catch (error) {
    if (!signal.aborted) log.error({ batch_id: batch.id, err: error }, "batch.not_combined");
    const pause_seconds = signal.aborted ? 0 : retrySeconds;
    await store.combineLater(db, batch, { process_id, pause_seconds });
  }
  return true;
}

const retrySeconds = 60;

/** The file's key, which follows from what it says; null when no label is left. */
async function combine(
  platform: Platform,
  batch: store.DueBatch,
  signal: AbortSignal,
): Promise<string | null> {
  const labels = labelsOf(platform, batch, signal);
  const first = await labels.next();
  if (first.done) return null;
  const { format, bytes } = await combineLabels(startingWith(first.value, labels));
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const key = `${batch.account_id}/batches/${batch.id}-${digest}.${format}`;
  await platform.files.write(key, bytes);
  return key;
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** We draw pallets' labels for a sheet of paper; a thermal printer's file has no place for them. */
function isLabel({ type }: StoredDocument, { label_format }: store.DueBatch): boolean {
  return type === "label" || (type === "pallet_label" && label_format !== "zpl");
}

const readAtOnce = 200;

/**
 * The labels in the order of the batch, read one after the other: of freight those of its pallets. Throws
 * when the process stops.
 */
async function* labelsOf(
  { db, files }: Platform,
  batch: store.DueBatch,
  signal: AbortSignal,
): AsyncGenerator<LabelFile> {
  for (let after = 0; ;) {
    const labels = await store.nextLabels(db, batch, { after, limit: readAtOnce });
    for (const { ship_code: name, documents } of labels) {
      signal.throwIfAborted();
      const label = documents.find((document) => isLabel(document, batch));
      const bytes = label ? await files.read(label.file_key) : null;
      if (label && bytes) yield { name, format: label.format, bytes };
      // An operator may have found a label and no file of it. A page can say so; ZPL has no pages.
      else if (batch.label_format !== "zpl") yield { name, format: "pdf", bytes: Buffer.alloc(0) };
    }
    const last = labels.at(-1);
    if (!last || labels.length < readAtOnce) return;
    after = last.place;
  }
}
