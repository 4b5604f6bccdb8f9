import fc from "fast-check";
import { sizeUnits, weightUnits } from "../goods/parcel.ts";
import { shipmentStatuses } from "../shipments/shipment-status.ts";
import {
  choicesOf,
  fieldNames,
  fieldOf,
  hasField,
  type FieldName,
  type FieldType,
  type SubjectKind,
} from "./fields.ts";
import { operatorsOf, type Operator } from "./operators.ts";
import { orderSources, orderStatuses } from "../orders/order-status.ts";
import type { EvaluationContext } from "./reading.ts";
import type { Condition, Criteria } from "./schema.ts";
import type { OrderSubject, ShipmentSubject } from "./subjects.ts";

/** Random criteria and subjects for tests, from pools so small that they often match. */

export const context: EvaluationContext = {
  now: new Date("2026-03-10T12:00:00.000Z"),
  currency: "CAD",
  home_country: "CA",
};

// Texts with tricky case, accents and wildcards.
const texts = [
  ..."rush Rush RUSH ru Été ÉTÉ été e\u0301te\u0301 E\u0301TE\u0301 Straße STRASSE STRAẞE ΣΊΣΥΦΟΣ σίσυφος Σίσυφοσ".split(
    " ",
  ),
  ..."İstanbul istanbul ISTANBUL ıstanbul Київ київ КИЇВ Երևան ԵՐԵՎԱՆ ﬁsh fish FISH \u212B å Å a\u030A Ǆ ǆ Ω Ω 日本 ﾆﾎﾝ 🎁 🎁🎀".split(
    " ",
  ),
  ..."50% 5 % _ a_b axb a\\b a'b \" $1 {} null true 0 canada_post.expedited_parcel K1A 1A0 Ṏ O\u0308\u0303".split(
    " ",
  ),
  "two words",
  "Two  words",
  "K1A 0A9",
  "k1a0a9",
];
const aText = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", minLength: 1, maxLength: 4 })
      .filter((text) => !/\p{Cc}/u.test(text) && text.trim() !== ""),
  },
);
const aMaybeText = fc.option(aText);
const aCountry = fc.constantFrom("CA", "US", "MX");
const aMaybeCountry = fc.option(aCountry);
const aCurrency = fc.constantFrom("CAD", "USD");
const anAmount = fc.oneof(
  fc.constantFrom(0, 0.01, 0.1, 0.2, 0.3, 1, 1.1, 19.99, 100, 1_000_000),
  fc.integer({ min: 0, max: 2000 }).map((cents) => cents / 100),
);
const aCount = fc.integer({ min: 1, max: 4 });
const aMagnitude = fc.constantFrom(
  0.1,
  0.2,
  0.3,
  1,
  2,
  2.2,
  2.54,
  5.08,
  16,
  28.349523125,
  32,
  453.59237,
  1000,
);
const aMoment = fc
  .oneof(
    fc.integer({ min: -72, max: 24 }).map((hours) => hours * 3_600_000),
    fc.integer({ min: -72 * 3_600_000, max: 3_600_000 }),
  )
  .map((offset) => new Date(context.now.getTime() + offset));
const anHsCode = fc.constantFrom("610910", "6109100012", "611020", "0901");

const aPart = fc
  .record({
    weight: aMagnitude,
    weight_unit: fc.constantFrom(...weightUnits),
    length: aMagnitude,
    width: aMagnitude,
    height: aMagnitude,
    size_unit: fc.constantFrom(...sizeUnits),
    measured: fc.boolean(),
  })
  .map(({ measured, ...part }) =>
    measured ? part : { ...part, length: null, width: null, height: null, size_unit: null },
  );
const aPackage = fc
  .tuple(aPart, fc.option(anAmount), fc.option(aCurrency))
  .map(([part, declared_value, currency]) => ({ ...part, declared_value, currency }));
const aUnit = fc.tuple(aPart, aCount).map(([part, quantity]) => ({ ...part, quantity }));
const anItem = fc.record({
  sku: aMaybeText,
  title: aText,
  hs_code: fc.option(anHsCode),
  country_of_origin: aMaybeCountry,
  quantity: aCount,
  value: anAmount,
  currency: aCurrency,
  weight: fc.option(aMagnitude),
  weight_unit: fc.constantFrom(...weightUnits),
});
const tags = fc.oneof(fc.constant([]), fc.array(aText, { maxLength: 3 }));
const destination = fc.record({
  country_code: aCountry,
  province_code: aMaybeText,
  postal_code: aMaybeText,
  city: aText,
  is_residential: fc.boolean(),
});

export const aShipmentSubject: fc.Arbitrary<ShipmentSubject> = fc.record({
  type: fc.constantFrom("courier", "ltl"),
  status: fc.constantFrom(...shipmentStatuses),
  from_address: fc.record({ country_code: aCountry }),
  to_address: destination,
  packages: fc.array(aPackage, { maxLength: 3 }),
  handling_units: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(aUnit, { minLength: 1, maxLength: 2 }) },
  ),
  items: fc.array(anItem, { maxLength: 3 }),
  insured_value_cents: fc.option(anAmount.map((amount) => Math.round(amount * 100))),
  service: aMaybeText,
  carrier: aMaybeText,
  tags,
  created_at: aMoment,
});

export const anOrderSubject: fc.Arbitrary<OrderSubject> = fc.record({
  source: fc.constantFrom(...orderSources),
  status: fc.constantFrom(...orderStatuses),
  from_address: fc.option(fc.record({ country_code: aCountry })),
  to_address: destination,
  packages: fc.oneof(fc.constant([]), fc.array(aPackage, { maxLength: 3 })),
  items: fc.array(anItem, { maxLength: 3 }),
  requested_service: aMaybeText,
  total_cents: fc.option(anAmount.map((amount) => Math.round(amount * 100))),
  currency: aCurrency,
  tags,
  placed_at: aMoment,
  created_at: aMoment,
});

const values: Record<Exclude<FieldType, "choice">, fc.Arbitrary<unknown>> = {
  text: aText,
  postal_code: aText,
  words: aText,
  hs_code: fc.oneof(anHsCode, fc.constantFrom("61", "6109.10", "10", "0 9")),
  country: fc.oneof(
    aCountry,
    aCountry.map((code) => code.toLowerCase()),
  ),
  currency: aCurrency,
  boolean: fc.boolean(),
  count: fc.integer({ min: 0, max: 9 }),
  money: anAmount,
  weight: fc.record({ value: aMagnitude, unit: fc.constantFrom(...weightUnits) }),
  length: fc.record({ value: aMagnitude, unit: fc.constantFrom(...sizeUnits) }),
  moment: aMoment.chain((moment) =>
    fc.constantFrom(
      moment.toISOString(),
      moment.toISOString().slice(0, 10),
      // The same moment written in another zone.
      new Date(moment.getTime() - 5 * 3_600_000).toISOString().replace("Z", "-05:00"),
      new Date(moment.getTime() + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30"),
    ),
  ),
  age: fc.oneof(fc.integer({ min: 0, max: 72 }), fc.double({ min: 0, max: 72, noNaN: true })),
};

function aValueOf(kind: SubjectKind, field: FieldName): fc.Arbitrary<unknown> {
  const { type } = fieldOf(field);
  return type === "choice" ? fc.constantFrom(...choicesOf(kind, field)) : values[type];
}

/** A condition of that field and operator that would be accepted when saved. */
export function aConditionOf(
  kind: SubjectKind,
  field: FieldName,
  operator: Operator,
): fc.Arbitrary<Condition> {
  const value = aValueOf(kind, field);
  if (operator === "exists" || operator === "not_exists") return fc.constant({ field, operator });
  if (operator === "in" || operator === "not_in")
    return fc
      .array(value, { minLength: 1, maxLength: 3 })
      .map((list) => ({ field, operator, value: list }));
  if (operator === "between")
    return fc.tuple(value, value).map((pair) => ({ field, operator, value: pair }));
  return value.map((each) => ({ field, operator, value: each }));
}

/** The fields of a kind of subject, each with its operators: every pair that can be saved. */
export function pairsOf(kind: SubjectKind): { field: FieldName; operator: Operator }[] {
  return fieldNames
    .filter((field) => hasField(kind, field))
    .flatMap((field) => operatorsOf[fieldOf(field).type].map((operator) => ({ field, operator })));
}

/** A tree of up to three levels. */
export function someCriteria(kind: SubjectKind): fc.Arbitrary<Criteria> {
  const condition = fc
    .constantFrom(...pairsOf(kind))
    .chain(({ field, operator }) => aConditionOf(kind, field, operator));
  const group = (entry: fc.Arbitrary<Condition | Criteria>): fc.Arbitrary<Criteria> =>
    fc.record({
      match: fc.constantFrom("all", "any"),
      conditions: fc.array(entry, { minLength: 1, maxLength: 3 }),
    });
  return group(fc.oneof(condition, group(fc.oneof(condition, group(condition)))));
}
