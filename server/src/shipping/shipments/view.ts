import type { Selectable } from "kysely";
import type { Platform } from "../../context.ts";
import type { ShipmentsTable, StoredDocument } from "../../database/tables.ts";
import { fromCents } from "../../domain/values/money.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import { isLabelled, isTakenBack } from "../../domain/shipments/shipment-states.ts";
import { Shipment, type LabelStatus } from "./schemas.ts";

export type ShipmentRow = Selectable<ShipmentsTable>;

/**
 * A row as the API shows it (decision 6): money in decimals, links freshly signed, nothing internal. The
 * serializer orders the keys, except within values that are written as stored.
 */
export function toShipment(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  row: ShipmentRow,
) {
  const carrier = row.carrier === null ? null : platform.carriers.find(row.carrier);
  const documents = toDocuments(platform, row);
  // Each field by name, in the order of the schema: removing internal ones from a copy costs many times that.
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    tracking_status: row.tracking_status,
    ship_code: row.ship_code,
    from_address: row.from_address,
    to_address: row.to_address,
    return_address: row.return_address,
    is_return: row.is_return,
    packages: row.packages,
    items: row.items,
    handling_units: row.handling_units,
    pickup: row.pickup,
    delivery: row.delivery,
    service: row.service,
    carrier:
      row.carrier === null
        ? null
        : { code: row.carrier, name: carrier?.descriptor.name ?? row.carrier },
    service_name: row.service_name,
    add_ons: row.add_ons,
    selected_rate: inOrderOf(Shipment.properties.selected_rate, row.selected_rate),
    label_url: documents.find(({ type }) => type === "label")?.url ?? null,
    label_status: labelStatusOf(row),
    label_format: row.label_format,
    label_size: row.label_size,
    documents,
    tracking_code: row.tracking_code,
    tracking_url:
      row.tracking_code === null
        ? null
        : (carrier?.descriptor.trackingUrl(row.tracking_code) ?? null),
    confirmation_number: row.confirmation_number,
    bol_number: row.bol_number,
    pro_number: row.pro_number,
    order_id: row.order_id,
    batch_id: row.batch_id,
    pickup_id: row.pickup_id,
    reference: row.reference,
    metadata: inOrderOf(Shipment.properties.metadata, row.metadata),
    tags: row.tags,
    contents_type: row.contents_type,
    incoterm: row.incoterm,
    signature_confirmation: row.signature_confirmation,
    insured_value: row.insured_value_cents === null ? null : fromCents(row.insured_value_cents),
    cost: toCost(row),
    refund: toRefund(row),
    messages: inOrderOf(Shipment.properties.messages, row.messages),
    last_error: inOrderOf(Shipment.properties.last_error, row.last_error),
    on_hold: row.on_hold,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    purchased_at: moment(row.purchased_at),
    voided_at: moment(row.voided_at),
    delivered_at: moment(row.delivered_at),
  };
}

/**
 * Whether the file of a label is there; null where there is no label to print. A label that will have a file
 * has a format, also before its carrier has sent it.
 */
export function labelStatusOf({
  type,
  status,
  label_format,
  documents,
}: Pick<ShipmentRow, "type" | "status" | "label_format" | "documents">): LabelStatus | null {
  if (type === "ltl" || !isLabelled(status) || isTakenBack(status)) return null;
  if (documents.some((document) => document.type === "label")) return "ready";
  return label_format === null ? null : "pending";
}

function toCost(row: ShipmentRow) {
  if (row.cost_total_cents === null) return null;
  return {
    subtotal: fromCents(row.cost_subtotal_cents ?? 0),
    tax: fromCents(row.cost_tax_cents ?? 0),
    total: fromCents(row.cost_total_cents),
    currency: row.cost_currency ?? "",
  };
}

function toRefund(row: ShipmentRow) {
  if (row.refund_status === null) return null;
  return {
    status: row.refund_status,
    amount: fromCents(row.refund_cents ?? 0),
    requested_at: moment(row.refund_requested_at) ?? "",
    resolved_at: moment(row.refund_resolved_at),
    reason: row.refund_reason,
  };
}

function moment(date: Date | null): string | null {
  return date && date.toISOString();
}

/**
 * With fresh links. A voided shipment keeps only its invoice: it could still be shipped with the other documents.
 */
export function toDocuments(
  { files, clock }: Pick<Platform, "files" | "clock">,
  { status, documents }: Pick<ShipmentRow, "status" | "documents">,
) {
  const now = clock.now();
  const isShown = ({ type }: StoredDocument) =>
    !isTakenBack(status) || type === "commercial_invoice";
  return documents.filter(isShown).map(({ type, format, file_key }) => ({
    type,
    format,
    url: files.link(file_key, now).url,
  }));
}
