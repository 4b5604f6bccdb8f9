import fc from "fast-check";
import { expect, test } from "vitest";
import { percentOf, toCents } from "./money.ts";

/** Half-up, away from zero, of a fraction of whole numbers. */
function rounded(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = (2n * size + denominator) / (2n * denominator);
  return Number(numerator < 0n ? -whole : whole);
}

/** A decimal of so many places, as JSON carries it. */
const decimal = (units: number, places: number) => Number(`${units}e-${places}`);

test("an amount with up to six decimals is the nearest cent, half-up", () => {
  const amount = { units: fc.integer({ min: -1e12, max: 1e12 }), places: fc.nat({ max: 6 }) };
  fc.assert(
    fc.property(amount.units, amount.places, (units, places) => {
      const cents = rounded(BigInt(units) * 100n, 10n ** BigInt(places));
      expect(toCents(decimal(units, places)) + 0).toBe(cents);
    }),
    { numRuns: 2000 },
  );
  expect([1.005, 2.675, -1.005, 0.145, 12.345].map(toCents)).toEqual([101, 268, -101, 15, 1235]);
});

test("a share with up to six decimals of a percent is the nearest cent, half-up", () => {
  const share = { units: fc.integer({ min: 0, max: 200_000_000 }), places: fc.nat({ max: 6 }) };
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e9, max: 1e9 })),
      share.units,
      share.places,
      (cents, units, places) => {
        const percent = Math.min(units, 200 * 10 ** places);
        const product = BigInt(cents) * BigInt(percent);
        // Above this a double itself has no room for the digits.
        fc.pre(product * 10n ** BigInt(6 - places) < BigInt(Number.MAX_SAFE_INTEGER));
        const wanted = rounded(product, 100n * 10n ** BigInt(places));
        expect(percentOf(cents, decimal(percent, places)) + 0).toBe(wanted + 0);
      },
    ),
    { numRuns: 5000 },
  );
  expect(percentOf(1000, 9.975)).toBe(100);
  expect([50, -50, 49].map((cents) => percentOf(cents, 1))).toEqual([1, -1, 0]);
});
