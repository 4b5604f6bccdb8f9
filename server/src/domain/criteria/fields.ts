import { orderSources, orderStatuses } from "../orders/order-status.ts";
import { shipmentStatuses } from "../shipments/shipment-status.ts";
import { OneOf } from "../values/schema.ts";

/** The fields of criteria (decision 15): their names, types and subjects. */

export const targets = ["orders", "shipments", "both"] as const;
export type Target = (typeof targets)[number];
export const Target = OneOf(targets, { $id: "FilterTarget" });
/** The subject of a criteria tree: one order, or one shipment. */
export type SubjectKind = "orders" | "shipments";

export type FieldType =
  /** Compared without regard to case and accents. */
  | "text"
  /** As text, without regard to spaces: K1A0A9 is K1A 0A9. */
  | "postal_code"
  /** Digits; dots and spaces do not count. */
  | "hs_code"
  /** Whole words, each of which is compared like a text. */
  | "words"
  | "country"
  | "currency"
  /** One of a fixed list. */
  | "choice"
  | "boolean"
  /** A whole number. */
  | "count"
  /** At most two decimals. */
  | "money"
  | "weight"
  | "length"
  /** A day of UTC, all of it, or a moment. */
  | "moment"
  /** Hours, with fractions, from the creation of a shipment or from when an order was placed, to now. */
  | "age";

interface Field {
  type: FieldType;
  of: readonly SubjectKind[];
  /** The options of a choice. */
  choices?: Partial<Record<SubjectKind, readonly string[]>>;
  /** A subject has as many values as items: a condition holds when it holds for any of them. */
  many?: true;
}

const both = ["orders", "shipments"] as const;

export const fields = {
  "to_address.country_code": { type: "country", of: both },
  "to_address.province_code": { type: "text", of: both },
  "to_address.postal_code": { type: "postal_code", of: both },
  "to_address.city": { type: "text", of: both },
  "to_address.is_residential": { type: "boolean", of: both },
  is_international: { type: "boolean", of: both },
  type: { type: "choice", of: ["shipments"], choices: { shipments: ["courier", "ltl"] } },
  total_weight: { type: "weight", of: both },
  max_dimension: { type: "length", of: both },
  package_count: { type: "count", of: both },
  declared_value: { type: "money", of: both },
  order_total: { type: "money", of: ["orders"] },
  currency: { type: "currency", of: both },
  "items.sku": { type: "text", of: both, many: true },
  "items.title": { type: "text", of: both, many: true },
  "items.hs_code": { type: "hs_code", of: both, many: true },
  "items.country_of_origin": { type: "country", of: both, many: true },
  "items.quantity": { type: "count", of: both, many: true },
  item_count: { type: "count", of: both },
  source: { type: "choice", of: ["orders"], choices: { orders: orderSources } },
  tags: { type: "words", of: both, many: true },
  requested_service: { type: "text", of: ["orders"] },
  status: {
    type: "choice",
    of: both,
    choices: { orders: orderStatuses, shipments: shipmentStatuses },
  },
  carrier: { type: "text", of: ["shipments"] },
  service: { type: "text", of: ["shipments"] },
  created_at: { type: "moment", of: both },
  placed_at: { type: "moment", of: ["orders"] },
  age_hours: { type: "age", of: both },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;
export const fieldNames = Object.keys(fields) as FieldName[];
export const FieldName = OneOf(fieldNames, { $id: "CriteriaField" });

/** Any field's entry of the table, for callers that need no exact type. */
export function fieldOf(name: FieldName): Field {
  return fields[name];
}

/** The kinds of subjects that a target has. */
export function kindsOf(target: Target): readonly SubjectKind[] {
  return target === "both" ? both : [target];
}

/** Whether a target has the field. `both` has the fields of either; of the other kind it is missing. */
export function hasField(target: Target, name: FieldName): boolean {
  return kindsOf(target).some((kind) => fieldOf(name).of.includes(kind));
}

/** The options of a choice in a target; in `both` those of either. */
export function choicesOf(target: Target, name: FieldName): string[] {
  const { choices = {} } = fieldOf(name);
  return [...new Set(kindsOf(target).flatMap((kind) => choices[kind] ?? []))];
}
