import type { RawBuilder } from "kysely";
import type { Static } from "typebox";
import type { Platform } from "../../context.ts";
import type { Carrier } from "../../carriers/carrier.ts";
import { namedColumns } from "../../database/columns.ts";
import type { TextRow } from "../../database/driver/sending.ts";
import type { ShipmentsTable, StoredDocument } from "../../database/tables.ts";
import {
  amountJson,
  booleanJson,
  momentJson,
  rowText,
  textJson,
  textsJson,
  wantedColumns,
  type TextField,
} from "../../database/text-columns.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import type { Fields } from "../../http/list-fields.ts";
import { storedJson } from "../../http/stored-json.ts";
import { Shipment, type LabelStatus } from "./schemas.ts";
import { labelStatusOf, toDocuments, type ShipmentRow } from "./view.ts";

/**
 * A shipment as the API shows it, as JSON, from a row of texts: what `view.ts` and the serializer make of the same row,
 * without making values of what is only written again. A test compares both.
 */

type Shower = Pick<Platform, "carriers" | "files" | "clock">;
type Column = keyof ShipmentsTable;
type Shown = TextField<Column, Made>;

/** What several fields of a row are made from. */
interface Made {
  documents: ReturnType<typeof toDocuments>;
  carrier: Carrier | undefined;
  label_status: LabelStatus | null;
}

const { columns, place } = wantedColumns<Column>();

const reading = (column: Column, show: (text: string | null) => string): Shown => {
  const at = place(column);
  return { reads: [column], show: (row) => show(row[at]!) };
};
const text = (column: Column) => reading(column, textJson);
const moment = (column: Column) => reading(column, momentJson);
const boolean = (column: Column) => reading(column, booleanJson);
const texts = (column: Column) => reading(column, textsJson);
const { properties } = Shipment;
type Json = "from_address" | "to_address" | "return_address" | "packages" | "items";
type FreightJson = "handling_units" | "pickup" | "delivery";
const json = (column: Json | FreightJson) => reading(column, storedJson(properties[column]));
const ordered = (column: "selected_rate" | "metadata" | "messages" | "last_error") =>
  reading(column, storedJson(properties[column], inOrderOf));

const at = {
  type: place("type"),
  status: place("status"),
  label_format: place("label_format"),
  carrier: place("carrier"),
  documents: place("documents"),
  tracking_code: place("tracking_code"),
};

/** Every field of the schema, so that the types name one that is missing. */
const fields: Record<keyof Static<typeof Shipment>, Shown> = {
  id: text("id"),
  type: text("type"),
  status: text("status"),
  tracking_status: text("tracking_status"),
  ship_code: text("ship_code"),
  from_address: json("from_address"),
  to_address: json("to_address"),
  return_address: json("return_address"),
  is_return: boolean("is_return"),
  packages: json("packages"),
  items: json("items"),
  handling_units: json("handling_units"),
  pickup: json("pickup"),
  delivery: json("delivery"),
  service: text("service"),
  carrier: {
    reads: ["carrier"],
    show: (row, { carrier }) => carrierJson(row[at.carrier]!, carrier),
  },
  service_name: text("service_name"),
  add_ons: texts("add_ons"),
  selected_rate: ordered("selected_rate"),
  label_url: {
    reads: ["documents", "status"],
    show: (_row, { documents }) =>
      textJson(documents.find(({ type }) => type === "label")?.url ?? null),
  },
  label_status: {
    reads: ["type", "status", "label_format", "documents"],
    show: (_row, { label_status }) => textJson(label_status),
  },
  label_format: text("label_format"),
  label_size: text("label_size"),
  documents: {
    reads: ["documents", "status"],
    show: (_row, { documents }) => (documents.length > 0 ? JSON.stringify(documents) : "[]"),
  },
  tracking_code: text("tracking_code"),
  tracking_url: {
    reads: ["tracking_code", "carrier"],
    show(row, { carrier }) {
      const code = row[at.tracking_code]!;
      return textJson(code === null ? null : (carrier?.descriptor.trackingUrl(code) ?? null));
    },
  },
  confirmation_number: text("confirmation_number"),
  bol_number: text("bol_number"),
  pro_number: text("pro_number"),
  order_id: text("order_id"),
  batch_id: text("batch_id"),
  pickup_id: text("pickup_id"),
  reference: text("reference"),
  metadata: ordered("metadata"),
  tags: texts("tags"),
  contents_type: text("contents_type"),
  incoterm: text("incoterm"),
  signature_confirmation: text("signature_confirmation"),
  insured_value: reading("insured_value_cents", amountJson),
  cost: costJson(),
  refund: refundJson(),
  messages: ordered("messages"),
  last_error: ordered("last_error"),
  on_hold: boolean("on_hold"),
  created_at: moment("created_at"),
  updated_at: moment("updated_at"),
  purchased_at: moment("purchased_at"),
  voided_at: moment("voided_at"),
  delivered_at: moment("delivered_at"),
};

const shown = rowText(Object.keys(properties) as (keyof typeof fields)[], fields);

/** The columns that `shipmentJson` reads for these fields, in its order; all fields when null. */
export function shownColumns(chosen: Fields | null = null): RawBuilder<unknown> {
  const needed = shown.readBy(chosen);
  return namedColumns("shipments", columns, needed && new Set([...needed, "id"]));
}

/** Where a row has the shipment's id. */
export const shownId = place("id");

/**
 * The row, read by `shownColumns` as texts, as JSON in the form of `Shipment`: all of it, or the fields for which its
 * columns were read.
 */
export function shipmentJson(platform: Shower, row: TextRow, chosen: Fields | null = null): string {
  const code = row[at.carrier]!;
  const status = row[at.status] as ShipmentStatus;
  const stored = row[at.documents]!;
  const hasDocuments = stored !== null && stored !== "[]";
  const documents = hasDocuments ? (JSON.parse(stored) as StoredDocument[]) : [];
  const label_format = row[at.label_format] as ShipmentRow["label_format"];
  const type = row[at.type] as ShipmentRow["type"];
  const made: Made = {
    documents: documents.length === 0 ? [] : toDocuments(platform, { status, documents }),
    carrier: code === null ? undefined : platform.carriers.find(code),
    label_status: labelStatusOf({ type, status, label_format, documents }),
  };
  return shown.write(row, made, chosen);
}

function carrierJson(code: string | null, carrier: Carrier | undefined): string {
  if (code === null) return "null";
  return JSON.stringify({ code, name: carrier?.descriptor.name ?? code });
}

function costJson(): Shown {
  const subtotal = place("cost_subtotal_cents");
  const tax = place("cost_tax_cents");
  const total = place("cost_total_cents");
  const currency = place("cost_currency");
  return {
    reads: ["cost_subtotal_cents", "cost_tax_cents", "cost_total_cents", "cost_currency"],
    show(row) {
      if (row[total] === null) return "null";
      const before = `{"subtotal":${amountJson(row[subtotal] ?? "0")},"tax":${amountJson(row[tax] ?? "0")}`;
      return `${before},"total":${amountJson(row[total]!)},"currency":${textJson(row[currency] ?? "")}}`;
    },
  };
}

function refundJson(): Shown {
  const status = place("refund_status");
  const cents = place("refund_cents");
  const requested = place("refund_requested_at");
  const resolved = place("refund_resolved_at");
  const reason = place("refund_reason");
  return {
    reads: [
      "refund_status",
      "refund_cents",
      "refund_requested_at",
      "refund_resolved_at",
      "refund_reason",
    ],
    show(row) {
      if (row[status] === null) return "null";
      const amount = `{"status":${textJson(row[status]!)},"amount":${amountJson(row[cents] ?? "0")}`;
      const asked = row[requested] === null ? '""' : momentJson(row[requested]!);
      const times = `"requested_at":${asked},"resolved_at":${momentJson(row[resolved]!)}`;
      return `${amount},${times},"reason":${textJson(row[reason]!)}}`;
    },
  };
}
