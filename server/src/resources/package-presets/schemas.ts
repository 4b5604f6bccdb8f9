import { Type, type Static } from "typebox";
import { NewPackage, PackageType, SizeUnit, WeightUnit } from "../../domain/goods/parcel.ts";
import { Maybe, Moment, Nullable, ReadOnly } from "../../domain/values/schema.ts";

/** The request and response schemas of presets of packages. */

const { length, width, height, size_unit, package_type } = NewPackage.properties;
const name = Type.String({ minLength: 1, maxLength: 80, examples: ["Small box"] });
const fields = {
  length,
  width,
  height,
  size_unit,
  weight: Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
    description: "Of the empty package, or of one that always weighs the same.",
  }),
  weight_unit: Maybe(WeightUnit),
  package_type,
};

export const NewPackagePreset = Type.Object({ name, ...fields }, { $id: "NewPackagePreset" });
export type NewPackagePreset = Static<typeof NewPackagePreset>;

export const PackagePresetChanges = Type.Object(
  { name: Type.Optional(name), ...fields, package_type: Maybe(PackageType) },
  { $id: "PackagePresetChanges" },
);

export const StrictPackagePresetChanges = Type.Object(
  { ...PackagePresetChanges.properties, ...ReadOnly("id", "created_at", "updated_at") },
  { additionalProperties: false },
);
export type PackagePresetChanges = Static<typeof PackagePresetChanges>;

export const PackagePreset = Type.Object(
  {
    id: Type.String({ examples: ["pst_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    name: Type.String(),
    length: Nullable(Type.Number()),
    width: Nullable(Type.Number()),
    height: Nullable(Type.Number()),
    size_unit: Nullable(SizeUnit),
    weight: Nullable(Type.Number()),
    weight_unit: Nullable(WeightUnit),
    package_type: PackageType,
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "PackagePreset" },
);
export type PackagePreset = Static<typeof PackagePreset>;
