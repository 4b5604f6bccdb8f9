import { createHash } from "node:crypto";
import type { LabelFile } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import type { StoredDocument } from "../../database/tables.ts";
import { isLabelFile } from "./label-files.ts";

/**
 * The files that a carrier sends with a label, as a shipment's documents: the labels of its packages are one
 * file, apart from pictures, which are one each. Their keys follow from the purchase and from their bytes, so
 * that storing them twice keeps one of each, and a late response cannot overwrite a file that another process
 * has settled with.
 */

/** The purchase whose files they are: `id` is its reference, `at` its moment, within a day. */
export interface FilesOf {
  account_id: string;
  id: string;
  shipment_id: string;
  at: Date;
}

type CarrierDocument = StoredDocument & { by_carrier: true };

/** What is kept of what carriers send: the rest is between them and the platform. */
const kept = ["label", "waybill", "commercial_invoice", "receipt", "bol"] as const;
type Kept = (typeof kept)[number];

/**
 * Writes the files; returns the entries of the shipment, in the order of their types. A transaction that lists
 * them waits for `stored` before its commit.
 */
export async function startCarrierFiles(
  { files: store }: Pick<Platform, "files">,
  of: FilesOf,
  sent: readonly LabelFile[],
): Promise<{ documents: CarrierDocument[]; stored: Promise<unknown> }> {
  const documents: CarrierDocument[] = [];
  const started: Promise<void>[] = [];
  for (const { type, format, bytes } of await mergedFiles(sent)) {
    const name = type === "label" ? digestOf(bytes) : `${digestOf(bytes)}-${type}`;
    const file_key = `${fileKey(of, folders[type])}-${name}.${format}`;
    const { stored, ...digest } = await store.startWrite(file_key, bytes);
    started.push(stored);
    documents.push({ type, format, file_key, by_carrier: true, ...digest });
  }
  return { documents, stored: Promise.all(started) };
}

/** The bytes that are stored of the labels: of a label of several files in one format, all of them. */
export async function mergedFiles(
  sent: readonly LabelFile[],
): Promise<{ type: Kept; format: LabelFile["format"]; bytes: Buffer }[]> {
  const merged = [];
  for (const type of kept) {
    const ofType = sent.filter((file) => file.type === type && file.bytes.length > 0);
    for (const [format, files] of Map.groupBy(ofType, (file) => file.format)) {
      const ordered = files.toSorted((a, b) => (a.package_index ?? 0) - (b.package_index ?? 0));
      // A file that cannot be read would become a page that says so: it is kept as it is.
      // The libraries of PDF are large, and loaded with the first label of several files.
      if (files.length > 1 && format !== "png" && files.every(isLabelFile)) {
        const named = ordered.map(({ bytes }, place) => ({
          name: String(place + 1),
          format,
          bytes,
        }));
        const { combineLabels } = await import("../../documents/combine-labels.ts");
        merged.push({ type, format, bytes: (await combineLabels(named)).bytes });
      } else merged.push(...ordered.map(({ bytes }) => ({ type, format, bytes })));
    }
  }
  return merged;
}

type Folder = "labels" | "papers" | "invoices";
const folders: Record<Kept, Folder> = {
  label: "labels",
  waybill: "papers",
  commercial_invoice: "invoices",
  receipt: "papers",
  bol: "papers",
};

/**
 * How the key of a purchase's file begins: with the account, the kind, and a folder for each day (UTC); a folder
 * for each purchase would have to be synced, too.
 */
export function fileKey({ account_id, id, shipment_id, at }: FilesOf, folder: Folder): string {
  return `${account_id}/${folder}/${at.toISOString().slice(0, 10)}/${shipment_id}-${id}`;
}

/** Whether a document was stored with these bytes. */
export function isKeyOf(fileKey: string, bytes: Buffer): boolean {
  return fileKey.includes(`-${digestOf(bytes)}`);
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
