import type { RawBuilder } from "kysely";
import { namedColumns } from "../../database/columns.ts";
import type { TextRow } from "../../database/driver/sending.ts";
import type { OrdersTable } from "../../database/tables.ts";
import {
  amountJson,
  momentJson,
  rowText,
  textJson,
  textsJson,
  wantedColumns,
  type TextField,
} from "../../database/text-columns.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import type { Fields } from "../../http/list-fields.ts";
import { storedJson } from "../../http/stored-json.ts";
import type { ShipmentOfOrder } from "../../shipping/orders/store.ts";
import { Order } from "./schemas.ts";

/**
 * An order as the API shows it, as JSON, from a row of texts: what `view.ts` and the serializer make of the same row,
 * without making values of what is only written again. A test compares both.
 */

type Column = keyof OrdersTable;
/** Made of a row and the shipments that are linked to orders of the page. */
type Shown = TextField<Column, readonly ShipmentOfOrder[]>;

const { columns, place } = wantedColumns<Column>();
const { properties } = Order;

const reading = (column: Column, show: (text: string | null) => string): Shown => {
  const at = place(column);
  return { reads: [column], show: (row) => show(row[at]!) };
};
const text = (column: Column) => reading(column, textJson);
const moment = (column: Column) => reading(column, momentJson);
type Json = "customer" | "to_address" | "from_address" | "items" | "packages";
const json = (column: Json) => reading(column, storedJson(properties[column]));

/** Where a row has the order's id. */
export const shownId = place("id");

/** Every field of the schema, so that the types name one that is missing. */
const fields: Record<keyof Order, Shown> = {
  id: text("id"),
  order_number: text("order_number"),
  source: text("source"),
  status: text("status"),
  customer: json("customer"),
  to_address: json("to_address"),
  from_address: json("from_address"),
  items: json("items"),
  packages: json("packages"),
  requested_service: text("requested_service"),
  totals: totalsJson(),
  notes: text("notes"),
  tags: reading("tags", textsJson),
  placed_at: moment("placed_at"),
  shipments: {
    reads: ["id"],
    show(row, linked) {
      const own = linked.filter(({ order_id }) => order_id === row[shownId]);
      return JSON.stringify(own.map(({ id, status }) => ({ id, status })));
    },
  },
  metadata: reading("metadata", storedJson(properties.metadata, inOrderOf)),
  created_at: moment("created_at"),
  updated_at: moment("updated_at"),
};

const shown = rowText(Object.keys(properties) as (keyof Order)[], fields);

/** The columns that `orderJson` reads for these fields, in its order; all fields when null. */
export function shownColumns(chosen: Fields | null = null): RawBuilder<unknown> {
  const needed = shown.readBy(chosen);
  return namedColumns("orders", columns, needed && new Set([...needed, "id"]));
}

/**
 * The row, read by `shownColumns` as texts, as JSON in the form of `Order`, with those of the shipments that are linked to
 * it: all of it, or the fields for which its columns were read.
 */
export function orderJson(
  row: TextRow,
  linked: readonly ShipmentOfOrder[],
  chosen: Fields | null = null,
): string {
  return shown.write(row, linked, chosen);
}

function totalsJson(): Shown {
  const amounts = ["subtotal", "shipping", "discount", "tax", "total"] as const;
  const parts = amounts.map((name) => ({ name, at: place(`${name}_cents`) }));
  const currency = place("currency");
  return {
    reads: [...amounts.map((name) => `${name}_cents` as const), "currency"],
    show(row) {
      const written = parts.map(({ name, at }) => `"${name}":${amountJson(row[at]!)}`);
      return `{${written.join(",")},"currency":${textJson(row[currency]!)}}`;
    },
  };
}
