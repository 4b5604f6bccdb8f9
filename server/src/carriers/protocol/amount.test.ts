import fc from "fast-check";
import { expect, test } from "vitest";
import { centsOf, decimalOf, thousandthsOf } from "./amount.ts";

test.each([
  ["9.59", 959],
  ["0", 0],
  ["-0.29", -29],
  ["1.005", 101],
  ["1.0049", 100],
  ["-1.005", -101],
  [" 12 ", 1200],
  ["30.739999771118164", 3074],
  [".5", 50],
  ["3.", 300],
  ["-0.00", 0],
  ["", null],
  [".", null],
  ["-", null],
  ["1e3", null],
  ["1,50", null],
  ["12345678901", null],
  ["NaN", null],
  [null, null],
])("%j is %j cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

test("whole cents are written and read again", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (cents) => {
      expect(centsOf(decimalOf(cents))).toBe(cents);
    }),
  );
});

test.each([
  [2_000, "2"],
  [1, "0.001"],
  [1_250, "1.25"],
  [68_039, "68.039"],
  [100, "0.1"],
  [10_000, "10"],
])("%i grams are %s kg", (grams, text) => {
  expect(thousandthsOf(grams)).toBe(text);
});
