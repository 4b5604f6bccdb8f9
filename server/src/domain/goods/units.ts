import type { SizeUnit, WeightUnit } from "./parcel.ts";

/**
 * Weights and sizes in one unit each: grams and centimetres. The factors are exact by definition
 * (the international pound and inch), so that only the last step rounds.
 */

const gramsPer: Record<WeightUnit, number> = {
  g: 1,
  kg: 1000,
  lbs: 453.59237,
  oz: 28.349523125,
};
const centimetresPer: Record<SizeUnit, number> = { cm: 1, in: 2.54 };

/** The volume of one kilogram, or one pound, above which size counts instead of weight (decision 5). */
const cubicCentimetresPerKilogram = 5000;
const cubicInchesPerPound = 139;

/** The parts of a package from which weight and size are computed. All three sides are null, or none is. */
export interface Measured {
  weight: number;
  weight_unit: WeightUnit;
  length: number | null;
  width: number | null;
  height: number | null;
  size_unit: SizeUnit | null;
}

/** The weight that a carrier charges for, of all packages together. */
export interface BillableWeight {
  value: number;
  unit: "kg" | "lbs";
  basis: "actual" | "volumetric";
}

/** Whole grams, half-up; a weight above zero is at least one gram. */
export function toGrams(weight: number, unit: WeightUnit): number {
  return totalGrams([{ weight, weight_unit: unit }]);
}

/**
 * Whole grams of all parts together, each as often as its `quantity`: added up first and rounded once, so
 * that ten times 2,000 lb are 20,000 lb.
 */
export function totalGrams(
  parts: readonly { weight: number; weight_unit: WeightUnit; quantity?: number }[],
): number {
  if (parts.length === 0) return 0;
  const grams = parts.map(
    ({ weight, weight_unit, quantity = 1 }) => quantity * weight * gramsPer[weight_unit],
  );
  const total = grams.reduce((sum, each) => sum + each, 0);
  return Math.max(1, roundTo(total, 0));
}

/** Whole grams in another unit, to two decimals: for messages. */
export function fromGrams(grams: number, unit: WeightUnit): number {
  return roundTo(grams / gramsPer[unit], 2);
}

/** A weight with another added, in the unit of the first; to three decimals. */
export function addWeight(
  to: { weight: number; weight_unit: WeightUnit },
  added: { weight: number; weight_unit: WeightUnit },
): number {
  const more = (added.weight * gramsPer[added.weight_unit]) / gramsPer[to.weight_unit];
  return roundTo(to.weight + more, 3);
}

/** Centimetres to two decimals, and never none: a side that is there has a length. */
export function toCentimetres(length: number, unit: SizeUnit): number {
  return Math.max(roundTo(length * centimetresPer[unit], 2), 0.01);
}

/** Centimetres in another unit, to two decimals: for messages. */
export function fromCentimetres(centimetres: number, unit: SizeUnit): number {
  return roundTo(centimetres / centimetresPer[unit], 2);
}

const cubicCentimetresPerCubicFoot = 30.48 ** 3;

/** Pounds in a cubic foot, by which freight is classed; only the noise of binary fractions is rounded. */
export function density(unit: {
  weight: number;
  weight_unit: WeightUnit;
  length: number;
  width: number;
  height: number;
  size_unit: SizeUnit;
}): number {
  const cubicFeet =
    (unit.length * unit.width * unit.height * centimetresPer[unit.size_unit] ** 3) /
    cubicCentimetresPerCubicFoot;
  const pounds = (unit.weight * gramsPer[unit.weight_unit]) / gramsPer.lbs;
  return Number((pounds / cubicFeet).toPrecision(12));
}

/** The longest side in centimetres, or null for a package without dimensions. */
export function longestSideCm(parcel: Measured): number | null {
  return sidesCm(parcel)?.[0] ?? null;
}

/** The longest side plus twice each of the others, in centimetres, or null without dimensions. */
export function lengthPlusGirthCm(parcel: Measured): number | null {
  const sides = sidesCm(parcel);
  return sides && roundTo(sides[0] + 2 * sides[1] + 2 * sides[2], 2);
}

/**
 * The larger of weight and volumetric weight, package by package, added up (decision 5). In pounds
 * when every package is weighed in pounds or ounces, else in kilograms; to two decimals. A package
 * measured in inches has the imperial divisor, whatever it is weighed in.
 */
export function billableWeight(packages: readonly Measured[]): BillableWeight {
  let actualGrams = 0;
  let billableGrams = 0;
  for (const parcel of packages) {
    const grams = parcel.weight * gramsPer[parcel.weight_unit];
    actualGrams += grams;
    billableGrams += Math.max(grams, volumetricGrams(parcel));
  }
  const isImperial = packages.every(({ weight_unit: unit }) => unit === "lbs" || unit === "oz");
  const unit = isImperial ? "lbs" : "kg";
  return {
    value: Math.max(0.01, roundTo(billableGrams / gramsPer[unit], 2)),
    unit,
    basis: billableGrams > actualGrams ? "volumetric" : "actual",
  };
}

function volumetricGrams({ length, width, height, size_unit }: Measured): number {
  if (length === null || width === null || height === null || size_unit === null) return 0;
  const volume = length * width * height;
  return size_unit === "in"
    ? (volume / cubicInchesPerPound) * gramsPer.lbs
    : (volume / cubicCentimetresPerKilogram) * gramsPer.kg;
}

/** The sides from longest to shortest: carriers do not distinguish which is the height. */
function sidesCm({ length, width, height, size_unit }: Measured): [number, number, number] | null {
  if (length === null || width === null || height === null || size_unit === null) return null;
  const sides = [length, width, height].map((side) => side * centimetresPer[size_unit]);
  return sides.map((side) => roundTo(side, 2)).sort((a, b) => b - a) as [number, number, number];
}

/** Half-up at a number of decimals, after the noise of binary fractions is removed: 2.675 → 2.68. */
function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  // Twelve digits move a number below 10⁸ by less than a thousandth: only near a half does the noise decide.
  const isClear = scaled < 1e8 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 0.001;
  return Math.floor((isClear ? scaled : Number(scaled.toPrecision(12))) + 0.5) / scale;
}
