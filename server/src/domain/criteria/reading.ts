import type { SizeUnit, WeightUnit } from "../parcel.ts";
import { centsPer, hundredthsPer, milligramsPer, rounded } from "./base-units.ts";
import { fieldNames, fieldOf, type FieldName } from "./fields.ts";
import { comparable, type Scalar } from "./tests.ts";

/**
 * The in-memory side of the fields: how each is read from a shipment. The SQL side is
 * `database/criteria-columns.ts`; a property test holds the two against each other.
 */

/** What beside the subject itself a field depends on: the moment, and the account's defaults. */
export interface Terms {
  now: Date;
  /** Of values that name none. */
  currency: string;
  /** Where a subject without a from_address ships from; null when that is not known. */
  home_country: string | null;
}

/** A subject's fields, each read once however many criteria ask for it. */
export interface Reading {
  /** As compared. Empty when the field is missing; as many as there are items for fields of items. */
  values(field: FieldName): readonly Scalar[];
  /** The same as they are written, quantities in base units. */
  written(field: FieldName): readonly Scalar[];
}

/** What criteria read of a shipment: a row of the database, or one that is about to become one. */
export interface ShipmentSubject {
  type: string;
  status: string;
  from_address: { country_code: string };
  to_address: Destination;
  packages: readonly Parcel[];
  handling_units: readonly unknown[];
  items: readonly Line[];
  insured_value_cents: number | null;
  service: string | null;
  carrier: string | null;
  tags: readonly string[];
  created_at: Date;
}

interface Destination {
  country_code: string;
  province_code: string | null;
  postal_code: string | null;
  city: string;
  is_residential: boolean;
}

interface Parcel {
  weight: number;
  weight_unit: WeightUnit;
  length: number | null;
  width: number | null;
  height: number | null;
  size_unit: SizeUnit | null;
  declared_value?: number | null;
  currency?: string | null;
  /** Of handling units, which may be several alike. */
  quantity?: number;
}

interface Line {
  sku: string | null;
  title: string;
  hs_code: string | null;
  country_of_origin: string | null;
  quantity: number;
  value: number;
  currency: string;
}

type Found = Scalar | null | undefined | readonly Scalar[];
type Readers<S> = Partial<Record<FieldName, (subject: S, terms: Terms) => Found>>;

export function readShipment(shipment: ShipmentSubject, terms: Terms): Reading {
  return readWith(shipmentReaders, shipment, terms);
}

function readWith<S>(readers: Readers<S>, subject: S, terms: Terms): Reading {
  const compared: Partial<Record<FieldName, readonly Scalar[]>> = {};
  const written = (field: FieldName) => listOf(readers[field]?.(subject, terms));
  return {
    written,
    values: (field) =>
      (compared[field] ??= written(field).map((value) =>
        typeof value === "string" ? comparable(fieldOf(field).type, value) : value,
      )),
  };
}

const none: readonly Scalar[] = [];

function listOf(found: Found): readonly Scalar[] {
  if (found === null || found === undefined) return none;
  return typeof found === "object" ? found : [found];
}

const shipmentReaders: Readers<ShipmentSubject> = {
  "to_address.country_code": ({ to_address }) => to_address.country_code,
  "to_address.province_code": ({ to_address }) => to_address.province_code,
  "to_address.postal_code": ({ to_address }) => to_address.postal_code,
  "to_address.city": ({ to_address }) => to_address.city,
  "to_address.is_residential": ({ to_address }) => to_address.is_residential,
  is_international: ({ from_address, to_address }) =>
    from_address.country_code !== to_address.country_code,
  type: ({ type }) => type,
  total_weight: (shipment) => milligrams(partsOf(shipment)),
  max_dimension: (shipment) => longestSide(partsOf(shipment)),
  package_count: (shipment) => sum(partsOf(shipment).map(({ quantity = 1 }) => quantity)) ?? 0,
  declared_value: ({ insured_value_cents, packages, items }) =>
    insured_value_cents ?? declaredCents(packages) ?? valueCents(items),
  currency: ({ packages, items }, terms) =>
    packages.find(({ currency }) => currency != null)?.currency ??
    items[0]?.currency ??
    terms.currency,
  "items.sku": ({ items }) => given(items.map(({ sku }) => sku)),
  "items.title": ({ items }) => items.map(({ title }) => title),
  "items.hs_code": ({ items }) => given(items.map(({ hs_code }) => hs_code)),
  "items.country_of_origin": ({ items }) => given(items.map((item) => item.country_of_origin)),
  "items.quantity": ({ items }) => items.map(({ quantity }) => quantity),
  item_count: ({ items }) => sum(items.map(({ quantity }) => quantity)) ?? 0,
  tags: ({ tags }) => tags,
  status: ({ status }) => status,
  carrier: ({ carrier }) => carrier,
  service: ({ service }) => service,
  created_at: ({ created_at }) => created_at.getTime(),
  age_hours: ({ created_at }, { now }) => now.getTime() - created_at.getTime(),
};

/** Freight is made of its handling units; all else of its packages. */
function partsOf({ packages, handling_units }: ShipmentSubject): readonly Parcel[] {
  return handling_units.length > 0 ? (handling_units as Parcel[]) : packages;
}

function milligrams(parts: readonly Parcel[]): number | null {
  const total = sum(
    parts.map(
      ({ weight, weight_unit, quantity = 1 }) => weight * milligramsPer[weight_unit] * quantity,
    ),
  );
  return total === null ? null : rounded(total);
}

function longestSide(parts: readonly Parcel[]): number | null {
  const sides = parts.flatMap(({ length, width, height, size_unit }) =>
    length === null || width === null || height === null || size_unit === null
      ? []
      : [rounded(Math.max(length, width, height) * hundredthsPer[size_unit])],
  );
  return sides.length > 0 ? Math.max(...sides) : null;
}

function declaredCents(packages: readonly Parcel[]): number | null {
  return sum(
    packages.flatMap(({ declared_value: value }) =>
      value == null ? [] : [rounded(value * centsPer)],
    ),
  );
}

function valueCents(items: readonly Line[]): number | null {
  return sum(items.map(({ value, quantity }) => rounded(value * centsPer) * quantity));
}

/** Null for nothing, as in SQL. */
function sum(values: readonly number[]): number | null {
  return values.length > 0 ? values.reduce((total, value) => total + value) : null;
}

function given<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** Every field that a shipment has a reader for: a test compares this with the table of fields. */
export const readFields = {
  shipments: fieldNames.filter((name) => name in shipmentReaders),
};
