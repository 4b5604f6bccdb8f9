import type { FreightClass } from "./freight.ts";

/**
 * The density scale of the National Motor Freight Classification as of 2025: thirteen subprovisions, in
 * force since 19 July 2025 (NMFTA, Docket 2025-1). Each class is for freight of at least so many pounds
 * in a cubic foot, up to the band above it; the pallet counts, in weight and in height.
 */
export const densityScale: readonly (readonly [
  pounds_per_cubic_foot: number,
  freight_class: FreightClass,
])[] = [
  [50, "50"],
  [35, "55"],
  [30, "60"],
  [22.5, "65"],
  [15, "70"],
  [12, "85"],
  [10, "92.5"],
  [8, "100"],
  [6, "125"],
  [4, "175"],
  [2, "250"],
  [1, "300"],
  [0, "400"],
];

/** The class of freight of that density, in pounds in a cubic foot. */
export function classOfDensity(poundsPerCubicFoot: number): FreightClass {
  const band = densityScale.find(([least]) => poundsPerCubicFoot >= least);
  return band ? band[1] : "400";
}
