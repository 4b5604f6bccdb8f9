import { createHash } from "node:crypto";
import type { CarrierLabel } from "../../carriers/carrier.ts";
import type { StoredDocument } from "../../database/tables.ts";
import type { Platform } from "../../context.ts";
import type { Attempt } from "../../outbound/operation.ts";
import { getShipment, type ShipmentRow } from "../shipments/service.ts";
import { drawPapers } from "./freight-papers.ts";
import { drawInvoice } from "./invoice.ts";
import type { LabelPurchaseInput } from "./label-purchase.ts";

/**
 * The files of what was sold: the label that the carrier sent or the papers of a booking, and an invoice
 * where it crosses a border. All but the label we draw ourselves. Their keys follow from the attempt and
 * from what was sold, so that keeping them twice keeps one of each, and nobody's late answer takes the
 * place of a file that another one has settled with.
 */

type Sale = Attempt<LabelPurchaseInput>;
type LabelFile = CarrierLabel["label"];

/** What we draw of a booking. */
const papers = ["bol", "pallet_label"] as const;

/** An operator who found the label on the carrier's site may have no file of it; a booking has none. */
export function hasFile({ bytes }: LabelFile): boolean {
  return bytes.length > 0;
}

/** What the shipment will list, once `keepDocuments` has kept it. */
export function documentsOf(sale: Sale, sold: CarrierLabel): StoredDocument[] {
  const { label, booking } = sold;
  const { format } = label;
  return [
    ...(booking ? papers.map((type) => paperOf(sale, booking, type)) : []),
    ...(hasFile(label)
      ? [{ type: "label" as const, format, file_key: labelKey(sale, label) }]
      : []),
    ...(sale.input.has_invoice ? [invoiceOf(sale, sold)] : []),
  ];
}

/** Writes the files. What we draw we draw from the shipment, which nobody changes meanwhile. */
export async function keepDocuments(
  platform: Platform,
  sale: Sale,
  sold: CarrierLabel,
): Promise<void> {
  const { files } = platform;
  const { label, booking, tracking_code } = sold;
  const { carrier, rate, has_invoice } = sale.input;
  const { service_name } = rate;
  if (hasFile(label)) await files.write(labelKey(sale, label), label.bytes);
  if (!booking && !has_invoice) return;
  const row = await shipmentOf(platform, sale);
  if (booking) {
    const drawn = await drawPapers(platform, row, { carrier, service_name, booking });
    for (const type of papers)
      await files.write(paperOf(sale, booking, type).file_key, drawn[type]);
  }
  if (has_invoice) {
    const { sent_at: sold_at } = sale;
    const facts = { carrier, service_name, tracking_code, sold_at };
    await files.write(invoiceOf(sale, sold).file_key, await drawInvoice(platform, row, facts));
  }
}

function shipmentOf({ db }: Platform, { account_id, input }: Sale): Promise<ShipmentRow> {
  return getShipment(db, account_id, input.shipment_id);
}

function labelKey({ account_id, id, input }: Sale, { format, bytes }: LabelFile): string {
  const digest = digestOf(bytes);
  return `${account_id}/labels/${input.shipment_id}/${id}-${digest}.${format}`;
}

function paperOf(
  { account_id, id, input }: Sale,
  booking: NonNullable<CarrierLabel["booking"]>,
  type: (typeof papers)[number],
): StoredDocument {
  const { confirmation_number, bol_number, pro_number } = booking;
  const digest = digestOf(JSON.stringify([confirmation_number, bol_number, pro_number]));
  const file_key = `${account_id}/papers/${input.shipment_id}/${id}-${digest}-${type}.pdf`;
  return { type, format: "pdf", file_key };
}

function invoiceOf(
  { account_id, id, input }: Sale,
  { tracking_code }: CarrierLabel,
): StoredDocument {
  const digest = digestOf(tracking_code);
  const file_key = `${account_id}/invoices/${input.shipment_id}/${id}-${digest}.pdf`;
  return { type: "commercial_invoice", format: "pdf", file_key };
}

function digestOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
