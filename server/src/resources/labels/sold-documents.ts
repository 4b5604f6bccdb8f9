import { createHash } from "node:crypto";
import type { CarrierLabel } from "../../carriers/carrier.ts";
import type { StoredDocument } from "../../database/tables.ts";
import type { Platform } from "../../context.ts";
import type { Attempt } from "../../outbound/operation.ts";
import { getShipment } from "../shipments/service.ts";
import { drawPapers } from "./freight-papers.ts";
import type { LabelPurchaseInput } from "./label-purchase.ts";

/**
 * The files of what was sold: the label that the carrier sent, or the papers of a booking, which we draw
 * ourselves. Their keys follow from the attempt and from what was sold, so that keeping them twice keeps
 * one of each, and nobody's late answer changes a file that another one has settled with.
 */

type Sale = Attempt<LabelPurchaseInput>;
type LabelFile = CarrierLabel["label"];

/** An operator who found the label on the carrier's site may have no file of it; a booking has none. */
export function hasFile({ bytes }: LabelFile): boolean {
  return bytes.length > 0;
}

/** What the shipment will list, once `keepDocuments` has kept it. */
export function documentsOf(sale: Sale, { label, booking }: CarrierLabel): StoredDocument[] {
  if (booking) return [paperOf(sale, booking, "bol"), paperOf(sale, booking, "pallet_label")];
  if (!hasFile(label)) return [];
  return [{ type: "label", format: label.format, file_key: labelKey(sale, label) }];
}

/** Writes the files. Drawing a booking's papers reads its shipment, which nobody changes meanwhile. */
export async function keepDocuments(
  platform: Platform,
  sale: Sale,
  { label, booking }: CarrierLabel,
): Promise<void> {
  const { files, db } = platform;
  if (!booking) {
    if (hasFile(label)) await files.write(labelKey(sale, label), label.bytes);
    return;
  }
  const { carrier, rate, shipment_id } = sale.input;
  const row = await getShipment(db, sale.account_id, shipment_id);
  const { service_name } = rate;
  const drawn = await drawPapers(platform, row, { carrier, service_name, booking });
  for (const type of ["bol", "pallet_label"] as const)
    await files.write(paperOf(sale, booking, type).file_key, drawn[type]);
}

function labelKey({ account_id, id, input }: Sale, { format, bytes }: LabelFile): string {
  const digest = digestOf(bytes);
  return `${account_id}/labels/${input.shipment_id}/${id}-${digest}.${format}`;
}

function paperOf(
  { account_id, id, input }: Sale,
  booking: NonNullable<CarrierLabel["booking"]>,
  type: "bol" | "pallet_label",
): StoredDocument {
  const { confirmation_number, bol_number, pro_number } = booking;
  const digest = digestOf(JSON.stringify([confirmation_number, bol_number, pro_number]));
  const file_key = `${account_id}/papers/${input.shipment_id}/${id}-${digest}-${type}.pdf`;
  return { type, format: "pdf", file_key };
}

function digestOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
