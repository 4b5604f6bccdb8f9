import { expect, test } from "vitest";
import { pallet } from "../freight-world.ts";
import { billableFreight } from "./billable-pounds.ts";
import { classPercent, lineHaulCents } from "./line-haul.ts";

const weight_breaks = [
  { from_pounds: 0, percent: 100 },
  { from_pounds: 500, percent: 80 },
  { from_pounds: 1_000, percent: 60 },
];
/** 100.00 a hundredweight. */
const options = { cwt_cents: 10_000, weight_breaks, at_least_pounds: 0 };
const line = (pounds: number, class_percent = 100) => ({ pounds, class_percent });

test.each([
  ["at its own break", [line(300)], 30_000],
  ["at the next break, with the pounds that it lacks", [line(450)], 40_000],
  ["where both cost the same", [line(400)], 40_000],
  ["by its class", [line(100, 250)], 25_000],
  // 200 lb at 200 % and 250 lb at 50 %, both at 80 %, and 50 lb more at the lowest class.
  ["lacking pounds of its lowest class", [line(200, 200), line(250, 50)], 44_000],
  ["two breaks higher", [line(990)], 60_000],
])("freight is rated %s", (_name, lines, cents) => {
  expect(lineHaulCents(lines, options)).toBe(cents);
});

test("freight that takes much of the trailer is rated at a minimum of pounds, at its lowest class", () => {
  const lines = [line(200, 200), line(100, 50)];
  const rated = lineHaulCents(lines, { ...options, at_least_pounds: 2_000 });
  expect(rated).toBe(200 * 120 + 100 * 30 + 1_700 * 30);
});

test("a class differs from class 100 as far as the tariff says", () => {
  expect(classPercent("250", 100)).toBe(250);
  expect(classPercent("250", 40)).toBe(160);
  expect(classPercent("77.5", 40)).toBe(91);
});

const rules = {
  pounds_per_cubic_foot: 10,
  linear_feet: { from_feet: 10, pounds_per_foot: 1_000 },
};

test("a cubic foot counts as ten pounds, up to the roof for what must not be stacked", () => {
  // 4 ft × 4 ft × 3⅓ ft.
  const cubic = { ...pallet, width_cm: 101.6, quantity: 2 };
  expect(billableFreight([cubic], rules)).toEqual({
    pounds: [1_067],
    at_least_pounds: 0,
    actual_pounds: 1_000,
  });
  const heavy = { ...cubic, weight_grams: 907_185 };
  expect(billableFreight([heavy], rules).pounds).toEqual([4_000]);
  const fragile = billableFreight([{ ...cubic, stackable: false }], rules);
  expect(fragile.pounds[0]).toBeGreaterThan(2_000);
  expect(billableFreight([cubic], { ...rules, pounds_per_cubic_foot: null }).pounds).toEqual([
    1_000,
  ]);
});

test("twelve feet of trailer count as twelve thousand pounds, nine as their weight", () => {
  const floor = { ...pallet, length_cm: 244, width_cm: 30.48, height_cm: 244 };
  const feet = (quantity: number) => billableFreight([{ ...floor, quantity }], rules);
  expect(feet(12).at_least_pounds).toBe(12_000);
  expect(feet(9).at_least_pounds).toBe(0);
});
