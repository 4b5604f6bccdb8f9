import { createHash } from "node:crypto";
import type { LabelFile } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import type { StoredDocument } from "../../database/tables.ts";
import type { StoredFiles } from "../../outbound/operation.ts";
import { documentKey, type DocumentFolder, type DocumentsOf } from "./document-key.ts";
import { isLabelFile } from "./label-files.ts";

/**
 * The files that a carrier sends with a label, as a shipment's documents: the labels of its packages are one
 * file, apart from pictures, which are one each. Their keys follow from the purchase and from their bytes, so
 * that storing them twice keeps one of each, and a late response cannot overwrite a file that another process
 * has settled with.
 */

type CarrierDocument = StoredDocument & { by_carrier: true };

/** What is kept of what carriers send: the rest is between them and the platform. */
const kept = ["label", "waybill", "commercial_invoice", "receipt", "bol"] as const;
type KeptType = (typeof kept)[number];

/**
 * Begins to write the files: they are on stable storage once `stored` resolves. Returns the entries of the shipment, in
 * the order of their types.
 */
export async function startCarrierFiles(
  { files: store }: Pick<Platform, "files">,
  of: DocumentsOf,
  sent: readonly LabelFile[],
): Promise<StoredFiles & { documents: CarrierDocument[] }> {
  const documents: CarrierDocument[] = [];
  const started: Promise<void>[] = [];
  for (const { type, format, bytes } of await mergedFiles(sent)) {
    const file_key = keyOf(of, { type, format, bytes });
    const { stored, ...digest } = await store.startWrite(file_key, bytes);
    started.push(stored);
    documents.push({ type, format, file_key, by_carrier: true, ...digest });
  }
  const stored = Promise.all(started);
  // Other documents are drawn before the settlement waits for this.
  stored.catch(() => undefined);
  return { documents, stored };
}

/** The same, once they are on stable storage. */
export async function storeCarrierFiles(
  platform: Pick<Platform, "files">,
  of: DocumentsOf,
  sent: readonly LabelFile[],
): Promise<CarrierDocument[]> {
  const { documents, stored } = await startCarrierFiles(platform, of, sent);
  await stored;
  return documents;
}

/** The bytes that are stored of the labels: of a label of several files in one format, all of them. */
export async function mergedFiles(
  sent: readonly LabelFile[],
): Promise<{ type: KeptType; format: LabelFile["format"]; bytes: Buffer }[]> {
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

const folders: Record<KeptType, DocumentFolder> = {
  label: "labels",
  waybill: "papers",
  commercial_invoice: "invoices",
  receipt: "papers",
  bol: "papers",
};

function keyOf(
  of: DocumentsOf,
  { type, format, bytes }: { type: KeptType; format: string; bytes: Buffer },
): string {
  const digest = digestOf(bytes);
  const name = type === "label" ? digest : `${digest}-${type}`;
  return `${documentKey(of, folders[type])}-${name}.${format}`;
}

/** Whether a document was stored with these bytes. */
export function isKeyOf(fileKey: string, bytes: Buffer): boolean {
  return fileKey.includes(`-${digestOf(bytes)}`);
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
