import fc from "fast-check";
import {
  accessorials,
  freightClasses,
  handlingUnitTypes,
  locationTypes,
} from "../../src/domain/goods/freight.ts";
import type { FreightDocuments } from "../../src/documents/freight-documents.ts";

/** Any documents that the rules of freight allow, and some that they do not. */

export const someText = (maxLength: number) =>
  fc.oneof(fc.string({ maxLength, unit: "grapheme" }), fc.string({ maxLength, unit: "binary" }));
export const someAddress = fc.record({
  name: fc.option(someText(40)),
  company: fc.option(someText(40)),
  address1: someText(50),
  address2: fc.option(someText(50)),
  city: someText(35),
  province_code: fc.option(someText(10)),
  postal_code: fc.option(someText(10)),
  country_code: fc.constantFrom("CA", "US"),
  phone: fc.option(someText(20)),
  email: fc.option(someText(50)),
  is_residential: fc.boolean(),
  tax_identifier: fc.constant(null),
});
const someSide = fc.double({ min: 0.01, max: 100_000, noNaN: true });
export const someUnit = fc.record({
  type: fc.constantFrom(...handlingUnitTypes),
  quantity: fc.integer({ min: 1, max: 12 }),
  length: someSide,
  width: someSide,
  height: someSide,
  size_unit: fc.constantFrom("cm" as const, "in" as const),
  weight: fc.double({ min: 0.001, max: 1_000_000, noNaN: true }),
  weight_unit: fc.constantFrom("lbs" as const, "kg" as const, "g" as const, "oz" as const),
  stackable: fc.boolean(),
  freight_class: fc.constantFrom(...freightClasses),
  freight_class_source: fc.constantFrom("given" as const, "density" as const),
  nmfc_code: fc.option(someText(20)),
  description: someText(200),
  pieces: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  hazmat: fc.boolean(),
});
const someStop = fc.record({
  date: fc.constant("2026-11-24"),
  ready_time: fc.constant("09:00"),
  close_time: fc.constant("17:00"),
  location_type: fc.constantFrom(...locationTypes),
  contact: fc.record({
    name: fc.option(someText(40)),
    phone: fc.option(someText(20)),
    email: fc.option(someText(50)),
  }),
  instructions: fc.option(someText(500)),
  appointment_required: fc.boolean(),
  accessorials: fc.subarray([...accessorials]),
  implied_accessorials: fc.subarray([...accessorials], { maxLength: 2 }),
});
export const someDocuments: fc.Arbitrary<FreightDocuments> = fc.record({
  bol_number: someText(30),
  pro_number: fc.option(someText(30)),
  confirmation_number: someText(50),
  ship_code: someText(12),
  carrier: fc.record({ name: someText(60), scac: fc.option(someText(4)) }),
  service_name: someText(60),
  ship_from: someAddress,
  ship_to: someAddress,
  bill_to: fc.record({ name: someText(60), lines: fc.array(someText(80), { maxLength: 4 }) }),
  freight_terms: fc.constantFrom("prepaid", "collect", "third_party"),
  handling_units: fc.array(someUnit, { minLength: 1, maxLength: 26 }),
  pickup: someStop,
  delivery: someStop,
  references: fc.array(fc.record({ number: someText(50), info: fc.option(someText(80)) }), {
    maxLength: 6,
  }),
  special_instructions: fc.option(someText(1000)),
  declared_value: fc.option(
    fc.record({
      amount: fc.double({ min: 0, max: 1e8, noNaN: true }),
      currency: fc.constant("CAD"),
    }),
  ),
});
