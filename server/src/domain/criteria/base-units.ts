import type { SizeUnit, WeightUnit } from "../goods/parcel.ts";

/**
 * Quantities as criteria compare them: whole numbers of a unit so small that no stated value loses
 * precision. Both readers compute in doubles, in the same order and with these very factors, and round
 * in the same way, so that they get the same whole numbers: change one side only together with the
 * other.
 */

/** Milligrams. The pound is exact by definition; the rest of a milligram is rounded away once, at the end. */
export const milligramsPer: Record<WeightUnit, number> = {
  g: 1000,
  kg: 1_000_000,
  lbs: 453_592.37,
  oz: 28_349.523125,
};

/** Hundredths of a millimetre. */
export const hundredthsPer: Record<SizeUnit, number> = { cm: 1000, in: 2540 };

export const centsPer = 100;
export const millisecondsPerHour = 3_600_000;

/** Half-up, as `floor(x + 0.5)` in SQL, whose `round` would take halves to even numbers. */
export function rounded(value: number): number {
  return Math.floor(value + 0.5);
}
