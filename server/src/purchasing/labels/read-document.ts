import type { Platform } from "../../context.ts";
import type { StoredDocument } from "../../database/tables.ts";
import { readIntact } from "../../providers/files/check-file.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { restoreDocuments } from "./restore-documents.ts";

/** Whether it is printed as the label. Waybill draws pallet labels for paper; they do not fit a thermal printer's file. */
export function isLabel({ type }: StoredDocument, format: string | null): boolean {
  return type === "label" || (type === "pallet_label" && format !== "zpl");
}

/** The document's file, replaced first if it is missing or damaged; null where it cannot be. */
export async function readDocument(
  platform: Platform,
  { account_id, shipment_id }: { account_id: string; shipment_id: string },
  document: StoredDocument,
): Promise<Buffer | null> {
  const { files, db } = platform;
  const bytes = await readIntact(files, document);
  if (bytes) return bytes;
  const row = await getShipment(db, account_id, shipment_id);
  const { documents } = await restoreDocuments(platform, row);
  const mended = documents.find(({ file_key }) => file_key === document.file_key);
  return mended ? readIntact(files, mended) : null;
}
