import type { Platform } from "../../context.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import type { StoredDocument } from "../../database/tables.ts";
import { lookupSeconds, withDeadline } from "../../outbound/deadline.ts";
import { checkFile } from "../../providers/files/check-file.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import { labelRefOf } from "../../shipping/shipments/label-ref.ts";
import { isKeyOf, mergedFiles } from "./carrier-files.ts";
import { isLabelFile } from "./label-files.ts";
import { drawAgain, isDrawn } from "./purchase-documents.ts";
import { inRequestedFormat } from "./requested-format.ts";
import * as store from "./store.ts";

/**
 * Replaces missing or damaged files of a labelled shipment: the carrier is asked for its label by reference,
 * and what Waybill draws is drawn again, also what could not be drawn at the purchase. Returns the updated
 * row. Never throws: what cannot be replaced now is logged, and tried again at the next request.
 */
export async function restoreDocuments(platform: Platform, row: ShipmentRow): Promise<ShipmentRow> {
  const documents: StoredDocument[] = [];
  for (const document of row.documents) {
    const { account_id, id: shipment_id } = row;
    const about = { account_id, shipment_id, type: document.type };
    try {
      const state = await checkFile(platform.files, document);
      const whole = state === "intact" ? document : await replace(platform, row, document);
      documents.push(whole);
      if (whole !== document) platform.log.warn({ ...about, state }, "file.replaced");
    } catch (error) {
      platform.log.error({ ...about, err: error }, "file.not_replaced");
      documents.push(document);
    }
  }
  if (documents.every((document, place) => isSame(document, row.documents[place]!))) return row;
  await store
    .recordDocuments(platform.db, row, documents)
    .catch((error: unknown) => platform.log.error({ err: error }, "file.not_recorded"));
  return { ...row, documents };
}

function isSame(one: StoredDocument, other: StoredDocument): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}

/** The same document, unchanged where Waybill cannot draw it. Throws why the carrier's cannot be had. */
async function replace(
  platform: Platform,
  row: ShipmentRow,
  document: StoredDocument,
): Promise<StoredDocument> {
  if (isDrawn(document)) return drawAgain(platform, row, document);
  const bytes = await fetchFile(platform, row, document);
  return { ...document, ...(await platform.files.write(document.file_key, bytes)) };
}

/** The carrier's file of a document, as it was stored. Throws when it has none. */
async function fetchFile(
  platform: Platform,
  row: ShipmentRow,
  { type, format, file_key }: StoredDocument,
): Promise<Buffer> {
  const { carriers, connections, db, metrics } = platform;
  const { account_id, carrier } = row;
  if (!carrier) throw new Error("the shipment has no purchase");
  const environment = await store.environmentOf(db, account_id);
  const label = labelRefOf(row, await contextOn({ connections }, { ...row, environment }));
  metrics.carrier_calls.inc({ carrier, operation: "fetch_files" });
  const files = await withDeadline(lookupSeconds, (signal) =>
    carriers.get(carrier).fetchFiles(label, row.label_format ?? format, signal),
  );
  const sent = await inRequestedFormat(platform, { account_id, format, files });
  const fitting = (await mergedFiles(sent)).filter(
    (file) => file.type === type && file.format === format,
  );
  // Of several pictures the one that this document is, by its digest.
  const file = fitting.find((each) => isKeyOf(file_key, each.bytes)) ?? fitting[0];
  if (!file || !isLabelFile(file))
    throw new Error(`${carrier} sent no complete ${format} file of ${label.reference}`);
  return file.bytes;
}
