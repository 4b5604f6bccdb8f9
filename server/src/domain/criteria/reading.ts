import { fieldNames, fieldOf, type FieldName, type SubjectKind } from "./fields.ts";
import type { OrderSubject, Parcel, ShipmentSubject } from "./subjects.ts";
import { declaredCents, longestSide, milligrams, pieces } from "./sums.ts";
import { comparable, type Scalar } from "./tests.ts";

/**
 * The in-memory side of the fields: how each is read from a shipment or an order. The SQL side is
 * `database/criteria/criteria-columns.ts`; a property test compares the two.
 */

/** What a field depends on in addition to the subject itself: the moment, and the account's defaults. */
export interface EvaluationContext {
  now: Date;
  /** Of values that name none. */
  currency: string;
  /** Where a subject without a from_address ships from; null when unknown. */
  home_country: string | null;
}

/** A subject's fields, each read once however many criteria use it. */
export interface Reading {
  /** The values as compared. Empty when the field is missing; one per item for fields of items. */
  values(field: FieldName): readonly Scalar[];
  /** The same values as they are stored, quantities in base units. */
  written(field: FieldName): readonly Scalar[];
}

type Found = Scalar | null | undefined | readonly Scalar[];
type Readers<S> = Partial<Record<FieldName, (subject: S, context: EvaluationContext) => Found>>;

export function readShipment(shipment: ShipmentSubject, context: EvaluationContext): Reading {
  return readWith(shipmentReaders, shipment, context);
}

export function readOrder(order: OrderSubject, context: EvaluationContext): Reading {
  return readWith(orderReaders, order, context);
}

function readWith<S>(readers: Readers<S>, subject: S, context: EvaluationContext): Reading {
  const compared: Partial<Record<FieldName, readonly Scalar[]>> = {};
  const written = (field: FieldName) => listOf(readers[field]?.(subject, context));
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

const readers: Readers<ShipmentSubject | OrderSubject> = {
  "to_address.country_code": ({ to_address }) => to_address.country_code,
  "to_address.province_code": ({ to_address }) => to_address.province_code,
  "to_address.postal_code": ({ to_address }) => to_address.postal_code,
  "to_address.city": ({ to_address }) => to_address.city,
  "to_address.is_residential": ({ to_address }) => to_address.is_residential,
  is_international: ({ from_address, to_address }, { home_country }) => {
    const from = from_address?.country_code ?? home_country;
    return from === null ? null : from !== to_address.country_code;
  },
  "items.sku": ({ items }) => given(items.map(({ sku }) => sku)),
  "items.title": ({ items }) => items.map(({ title }) => title),
  "items.hs_code": ({ items }) => given(items.map(({ hs_code }) => hs_code)),
  "items.country_of_origin": ({ items }) => given(items.map((item) => item.country_of_origin)),
  "items.quantity": ({ items }) => items.map(({ quantity }) => quantity),
  item_count: ({ items }) => pieces(items),
  tags: ({ tags }) => tags,
  status: ({ status }) => status,
  created_at: ({ created_at }) => created_at.getTime(),
};

const shipmentReaders: Readers<ShipmentSubject> = {
  ...readers,
  type: ({ type }) => type,
  total_weight: (shipment) => milligrams(parcelsOf(shipment)),
  max_dimension: (shipment) => longestSide(parcelsOf(shipment)),
  package_count: (shipment) => pieces(parcelsOf(shipment)),
  declared_value: ({ insured_value_cents, packages, items }, { currency }) =>
    insured_value_cents ?? declaredCents(packages, items, currency),
  currency: ({ packages, items }, context) =>
    packages.find(({ currency }) => currency != null)?.currency ??
    items[0]?.currency ??
    context.currency,
  carrier: ({ carrier }) => carrier,
  service: ({ service }) => service,
  age_hours: ({ created_at }, { now }) => now.getTime() - created_at.getTime(),
};

const orderReaders: Readers<OrderSubject> = {
  ...readers,
  // A subject without packages weighs what its items weigh, as far as that is known.
  total_weight: ({ packages, items }) => milligrams(packages.length > 0 ? packages : items),
  max_dimension: ({ packages }) => longestSide(packages),
  package_count: ({ packages }) => pieces(packages),
  declared_value: ({ packages, items, currency }) => declaredCents(packages, items, currency),
  order_total: ({ total_cents }) => total_cents,
  currency: ({ currency }) => currency,
  source: ({ source }) => source,
  requested_service: ({ requested_service }) => requested_service,
  placed_at: ({ placed_at }) => placed_at.getTime(),
  age_hours: ({ placed_at }, { now }) => now.getTime() - placed_at.getTime(),
};

/** Freight has handling units; everything else has packages. */
function parcelsOf({ packages, handling_units }: ShipmentSubject): readonly Parcel[] {
  return handling_units.length > 0 ? (handling_units as Parcel[]) : packages;
}

function given<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** Every field that has a reader: a test compares this with the table of fields. */
export const readFields: Record<SubjectKind, FieldName[]> = {
  shipments: fieldNames.filter((name) => name in shipmentReaders),
  orders: fieldNames.filter((name) => name in orderReaders),
};
