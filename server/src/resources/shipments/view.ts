import type { Selectable } from "kysely";
import type { Platform } from "../../context.ts";
import type { ShipmentsTable, StoredDocument } from "../../database/tables.ts";
import { fromCents } from "../../domain/money.ts";
import { inOrderOf } from "../../domain/key-order.ts";
import { isTakenBack } from "../../domain/shipment-states.ts";
import { Shipment } from "./schemas.ts";

export type ShipmentRow = Selectable<ShipmentsTable>;

/** A row as an answer that is stored shows it: as `shownShipment`, with the keys in the order of the schema. */
export function toShipment(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  row: ShipmentRow,
) {
  return inOrderOf(Shipment, shownShipment(platform, row));
}

/**
 * A row as the API shows it (decision 6): money in decimals, links freshly signed, nothing internal. The serializer
 * of a route's answer puts the keys in order, but those of what it writes as it is stored.
 */
export function shownShipment(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  row: ShipmentRow,
) {
  const carrier = row.carrier === null ? null : platform.carriers.find(row.carrier);
  const documents = toDocuments(platform, validDocuments(row));
  const {
    account_id: _account,
    revision: _revision,
    order_number: _number,
    purchase_reference: _reference,
    carrier_label_id: _label,
    cost_subtotal_cents: _subtotal,
    cost_tax_cents: _tax,
    cost_total_cents: _total,
    cost_currency: _currency,
    carrier_cost_cents: _carriers,
    cancellation: _cancellation,
    refund_status,
    refund_cents,
    refund_requested_at,
    refund_resolved_at,
    refund_reason,
    refund_check_at: _check,
    rule_terms: _terms,
    insured_value_cents,
    ...shown
  } = row;
  return {
    ...shown,
    selected_rate: inOrderOf(Shipment.properties.selected_rate, row.selected_rate),
    metadata: inOrderOf(Shipment.properties.metadata, row.metadata),
    messages: inOrderOf(Shipment.properties.messages, row.messages),
    last_error: inOrderOf(Shipment.properties.last_error, row.last_error),
    carrier:
      row.carrier === null
        ? null
        : { code: row.carrier, name: carrier?.descriptor.name ?? row.carrier },
    label_url: documents.find(({ type }) => type === "label")?.url ?? null,
    documents,
    tracking_url:
      row.tracking_code === null
        ? null
        : (carrier?.descriptor.trackingUrl(row.tracking_code) ?? null),
    insured_value: insured_value_cents === null ? null : fromCents(insured_value_cents),
    cost: toCost(row),
    refund:
      refund_status === null
        ? null
        : {
            status: refund_status,
            amount: fromCents(refund_cents ?? 0),
            requested_at: moment(refund_requested_at) ?? "",
            resolved_at: moment(refund_resolved_at),
            reason: refund_reason,
          },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    purchased_at: moment(row.purchased_at),
    voided_at: moment(row.voided_at),
    delivered_at: moment(row.delivered_at),
  };
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

function moment(date: Date | null): string | null {
  return date && date.toISOString();
}

/** Of what was taken back only the invoice is left: the other papers would ship it all the same. */
function validDocuments({ status, documents }: ShipmentRow): StoredDocument[] {
  if (!isTakenBack(status)) return documents;
  return documents.filter(({ type }) => type === "commercial_invoice");
}

function toDocuments(
  { files, clock }: Pick<Platform, "files" | "clock">,
  documents: StoredDocument[],
) {
  const now = clock.now();
  return documents.map(({ type, format, file_key }) => ({
    type,
    format,
    url: files.link(file_key, now).url,
  }));
}
