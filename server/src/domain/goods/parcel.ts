import { Type, type Static } from "typebox";
import { Country, Currency, Logged, Maybe, Money, Nullable, OneOf } from "../values/schema.ts";

/** Packages and customs lines of a courier shipment (spec 2.4, decision 5). */

export const weightUnits = ["lbs", "kg", "g", "oz"] as const;
export type WeightUnit = (typeof weightUnits)[number];
export const WeightUnit = OneOf(weightUnits, { $id: "WeightUnit" });
export const sizeUnits = ["cm", "in"] as const;
export type SizeUnit = (typeof sizeUnits)[number];
export const SizeUnit = OneOf(sizeUnits, { $id: "SizeUnit" });
export const packageTypes = ["parcel", "envelope", "pak", "tube"] as const;
export type PackageType = (typeof packageTypes)[number];
export const PackageType = OneOf(packageTypes, { $id: "PackageType" });

export const NewPackage = Type.Object(
  {
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    weight_unit: WeightUnit,
    length: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
    width: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
    height: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
    size_unit: Maybe(SizeUnit),
    package_contents: Maybe(Type.String({ maxLength: 200 })),
    package_type: Maybe(PackageType, { default: "parcel" }),
    reference: Maybe(Type.String({ maxLength: 50 })),
    declared_value: Maybe(Money({ minimum: 0, maximum: 1_000_000 })),
    currency: Maybe(
      Currency({
        description:
          "Of declared_value; the account's when absent. In another one it is kept and shown, no service's limit is applied to it, and protection is not offered.",
      }),
    ),
  },
  { $id: "NewPackage" },
);
export type NewPackage = Static<typeof NewPackage>;

export const Package = Type.Object(
  {
    id: Type.String(),
    weight: Type.Number(),
    weight_unit: WeightUnit,
    length: Nullable(Type.Number()),
    width: Nullable(Type.Number()),
    height: Nullable(Type.Number()),
    size_unit: Nullable(SizeUnit),
    package_contents: Nullable(Type.String()),
    package_type: PackageType,
    reference: Nullable(Type.String()),
    declared_value: Nullable(Type.Number()),
    currency: Nullable(Logged(Type.String(), "known")),
    tracking_code: Nullable(Logged(Type.String())),
  },
  { $id: "Package" },
);
export type Package = Static<typeof Package>;

/** A customs line. Optional at home, required across a border. */
export const NewItem = Type.Object(
  {
    sku: Maybe(Type.String({ maxLength: 100 })),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    description: Maybe(Type.String({ maxLength: 500 })),
    customs_description: Maybe(Type.String({ maxLength: 200 })),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    value: Money({ minimum: 0, maximum: 1_000_000 }),
    currency: Maybe(Currency()),
    weight: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
    weight_unit: Maybe(WeightUnit),
    country_of_origin: Maybe(Country()),
    // Dots and spaces are stripped before the six to ten digits are counted.
    hs_code: Maybe(Type.String({ maxLength: 20 })),
    manufacturer: Maybe(Type.String({ maxLength: 100 })),
  },
  { $id: "NewItem" },
);
export type NewItem = Static<typeof NewItem>;

export const Item = Type.Object(
  {
    sku: Nullable(Type.String()),
    title: Type.String(),
    description: Nullable(Type.String()),
    customs_description: Nullable(Type.String()),
    quantity: Type.Integer(),
    value: Type.Number(),
    currency: Logged(Type.String(), "known"),
    weight: Nullable(Type.Number()),
    weight_unit: Nullable(WeightUnit),
    country_of_origin: Nullable(Type.String()),
    hs_code: Nullable(Type.String()),
    manufacturer: Nullable(Type.String()),
  },
  { $id: "Item" },
);
export type Item = Static<typeof Item>;
