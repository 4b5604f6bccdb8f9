import type { WireHandlingUnit } from "../wire.ts";
import type { SpaceRules } from "../../pricing/freight-tariff.ts";

/** The weight by which freight is rated: whole pounds, of weight or of the space that it takes. */

interface BillableFreight {
  /** Of each line of equal units. */
  pounds: number[];
  /** The shipment's minimum rated weight, for the length of trailer that it takes; 0 when that is little. */
  at_least_pounds: number;
  actual_pounds: number;
}

const gramsPerPound = 453.59237;
const cubicCentimetresPerCubicFoot = 30.48 ** 3;
const centimetresPerFoot = 30.48;
/** Inside a trailer, less the room for loading. */
const trailerWidthCm = 244;
const trailerHeightCm = 244;

export function billableFreight(
  units: readonly WireHandlingUnit[],
  { pounds_per_cubic_foot, linear_feet }: SpaceRules,
): BillableFreight {
  const actual = units.map(({ quantity, weight_grams }) =>
    wholeUp(quantity * poundsOf(weight_grams)),
  );
  const spaces = units.map((unit) =>
    pounds_per_cubic_foot === null ? 0 : wholeUp(cubicFeet(unit) * pounds_per_cubic_foot),
  );
  const feet = units.reduce((sum, unit) => sum + linearFeet(unit), 0);
  return {
    pounds: actual.map((pounds, index) => Math.max(pounds, spaces[index]!)),
    at_least_pounds: feet < linear_feet.from_feet ? 0 : wholeUp(feet * linear_feet.pounds_per_foot),
    actual_pounds: sumOf(actual),
  };
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** To the hundredth, as a carrier reads a unit's weight before it multiplies by the units. */
export function poundsOf(grams: number): number {
  return Number((grams / gramsPerPound).toFixed(2));
}

/** Up to the next pound, after the noise of a conversion is shed: 226,796 g are 500 lb and not 501. */
function wholeUp(pounds: number): number {
  return Math.ceil(Number(pounds.toFixed(2)));
}

/** A unit that must not be stacked counts up to the roof. */
function cubicFeet(unit: WireHandlingUnit): number {
  const height = unit.stackable ? unit.height_cm : Math.max(unit.height_cm, trailerHeightCm);
  const volume = unit.quantity * unit.length_cm * unit.width_cm * height;
  return volume / cubicCentimetresPerCubicFoot;
}

/** Feet of trailer, as if the units could share its width; low stackable units share the height. */
function linearFeet(unit: WireHandlingUnit): number {
  const layers = unit.stackable ? Math.max(1, Math.floor(trailerHeightCm / unit.height_cm)) : 1;
  const floor = (unit.quantity * unit.length_cm * unit.width_cm) / layers;
  return floor / trailerWidthCm / centimetresPerFoot;
}
