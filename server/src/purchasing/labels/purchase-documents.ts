import { createHash } from "node:crypto";
import type { FreightBooking } from "../../carriers/carrier.ts";
import type { StoredDocument } from "../../database/tables.ts";
import type { Platform } from "../../context.ts";
import type { Attempt, StoredFiles } from "../../outbound/operation.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { startCarrierFiles } from "./carrier-files.ts";
import { documentKey, type DocumentFolder } from "./document-key.ts";
import { drawFreightDocument } from "./freight-documents.ts";
import { drawInvoice } from "./invoice.ts";
import type { SoldLabel } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";
import { inRequestedFormat } from "./requested-format.ts";

/**
 * The files of a purchase: the label that the carrier sent or the documents of a booking, and an invoice
 * where it crosses a border. Waybill draws all but the label. Their keys follow from the attempt and from the
 * result, so that storing them twice keeps one of each, and a late response cannot overwrite a file that
 * another process has settled with.
 */

type Sale = Attempt<LabelPurchaseInput>;
/** The documents that Waybill draws for a booking. */
const freightTypes = ["bol", "pallet_label"] as const;

/** A label or booking, and what was stored of it. */
export interface PurchasedLabel extends SoldLabel {
  /** Set by `storeDocuments`, which runs before the settlement. */
  documents?: StoredDocument[];
}

/** The documents that the shipment will list: those that `storeDocuments` wrote. */
export function documentsOf({ documents }: PurchasedLabel): StoredDocument[] {
  if (!documents) throw new Error("the documents of a purchase are written before its settlement");
  return documents;
}

/**
 * Writes the files: first the carrier's, which cannot be made again. The others are drawn from the shipment,
 * which cannot change during a purchase, unless the carrier has sent its own. Records in `sold` what is written;
 * the carrier's files may still be on their way to the disk.
 */
export async function storeDocuments(
  platform: Platform,
  sale: Sale,
  sold: PurchasedLabel,
): Promise<StoredFiles> {
  const { carrier, rate, shipment_id } = sale.input;
  const { service_name } = rate;
  const { tracking_code, booking = null } = sold;
  const facts = { carrier, service_name, tracking_code, booking, sold_at: sale.sent_at };
  const of = { ...sale, shipment_id };
  sold.files = await filesOf(platform, sale, sold);
  const sent = sold.files === "pending" ? [] : sold.files;
  const { documents: carriers, stored } = await startCarrierFiles(platform, of, sent);
  const documents: StoredDocument[] = [...carriers];
  let row: ShipmentRow | null = null;
  for (const document of documentsToDraw(sale, sold)) {
    if (documents.some(({ type }) => type === document.type)) continue;
    row ??= await shipmentOf(platform, sale);
    documents.push(await drawDocument(platform, row, { document, facts }));
  }
  sold.documents = documents;
  return { stored };
}

/**
 * The carrier's files with the label in the requested format. Where its picture cannot be drawn, the label is one whose
 * file comes later: it is sold and has to be paid, and its carrier has the PDF, which is fetched and drawn again.
 */
async function filesOf(
  platform: Platform,
  { account_id, input }: Sale,
  { files }: SoldLabel,
): Promise<SoldLabel["files"]> {
  if (files === "pending") return files;
  const { shipment_id, label_format: format } = input;
  try {
    return await inRequestedFormat(platform, { account_id, format, files });
  } catch (error) {
    platform.log.error({ account_id, shipment_id, err: error }, "label_picture.not_drawn");
    return "pending";
  }
}

/** What Waybill draws: the documents of a booking, and an invoice where it crosses a border. */
function documentsToDraw(sale: Sale, sold: SoldLabel): DrawnDocument[] {
  const { booking } = sold;
  return [
    ...(booking ? freightTypes.map((type) => freightDocumentOf(sale, booking, type)) : []),
    ...(sale.input.has_invoice ? [invoiceOf(sale, sold)] : []),
  ];
}

/** Draws a document of a purchased shipment again; never throws, as `drawDocument`. */
export async function drawAgain(
  platform: Platform,
  row: ShipmentRow,
  document: DrawnDocument,
): Promise<StoredDocument> {
  return drawDocument(platform, row, { document, facts: factsOf(row) });
}

/** All that the documents contain about the purchase. */
interface SaleFacts {
  carrier: string;
  service_name: string;
  tracking_code: string;
  booking: FreightBooking | null;
  sold_at: Date;
}

function factsOf(row: ShipmentRow): SaleFacts {
  const { carrier, service_name, tracking_code, purchased_at } = row;
  const { confirmation_number, bol_number, pro_number } = row;
  if (!carrier || !service_name || !tracking_code || !purchased_at)
    throw new Error(`shipment ${row.id} has documents and was not purchased`);
  const isBooked = confirmation_number !== null && bol_number !== null;
  const booking = isBooked ? { confirmation_number, bol_number, pro_number } : null;
  return { carrier, service_name, tracking_code, booking, sold_at: purchased_at };
}

/**
 * Draws a document and writes it; returns its entry for the shipment. One that cannot be drawn, for whatever
 * is in it, is left out and logged: the purchase took place and has to be paid, and the document can be drawn
 * at any time.
 */
async function drawDocument(
  platform: Platform,
  row: ShipmentRow,
  { document, facts }: { document: DrawnDocument; facts: SaleFacts },
): Promise<StoredDocument> {
  let bytes: Buffer;
  try {
    bytes = await draw(platform, row, { type: document.type, facts });
  } catch (error) {
    const { account_id, id: shipment_id } = row;
    const { type } = document;
    platform.log.error({ account_id, shipment_id, type, err: error }, "document.not_drawn");
    return document;
  }
  return { ...document, ...(await platform.files.write(document.file_key, bytes)) };
}

async function draw(
  platform: Platform,
  row: ShipmentRow,
  { type, facts }: { type: DrawnDocument["type"]; facts: SaleFacts },
): Promise<Buffer> {
  const { booking } = facts;
  if (type === "commercial_invoice") return drawInvoice(platform, row, facts);
  if (!booking) throw new Error(`shipment ${row.id} has no documents of a booking`);
  return drawFreightDocument(platform, row, { ...facts, type, booking });
}

type DrawnDocument = StoredDocument & {
  type: "commercial_invoice" | (typeof freightTypes)[number];
};

/** Whether Waybill draws it; the others come from the carrier. */
export function isDrawn(document: StoredDocument): document is DrawnDocument {
  return document.type !== "label" && !document.by_carrier;
}

function shipmentOf({ db }: Platform, { account_id, input }: Sale): Promise<ShipmentRow> {
  return getShipment(db, account_id, input.shipment_id);
}

function freightDocumentOf(
  sale: Sale,
  booking: FreightBooking,
  type: (typeof freightTypes)[number],
): DrawnDocument {
  const { confirmation_number, bol_number, pro_number } = booking;
  const digest = digestOf(JSON.stringify([confirmation_number, bol_number, pro_number]));
  const file_key = `${keyOf(sale, "papers")}-${digest}-${type}.pdf`;
  return { type, format: "pdf", file_key };
}

function invoiceOf(sale: Sale, { tracking_code }: SoldLabel): DrawnDocument {
  const digest = digestOf(tracking_code);
  const file_key = `${keyOf(sale, "invoices")}-${digest}.pdf`;
  return { type: "commercial_invoice", format: "pdf", file_key };
}

function keyOf(sale: Sale, folder: DocumentFolder): string {
  return documentKey({ ...sale, shipment_id: sale.input.shipment_id }, folder);
}

function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
