import fc from "fast-check";
import { expect, test } from "vitest";
import { canadaTaxRates } from "./canada-tax-rates.ts";
import { taxLines } from "./tax.ts";

const today = new Date("2026-10-05T12:00:00Z");
const toProvince = (to_province_code: string | null) => ({
  from_country_code: "CA",
  to_country_code: "CA",
  to_province_code,
});
const namesAndRates = (province: string | null, on = today) =>
  taxLines(toProvince(province), 10_000, on).map(({ name, rate }) => `${name} ${rate}`);

test.each([
  ["AB", ["GST 0.05"]],
  ["BC", ["GST 0.05"]],
  ["MB", ["GST 0.05"]],
  ["NB", ["HST 0.15"]],
  ["NL", ["HST 0.15"]],
  ["NS", ["HST 0.14"]],
  ["NT", ["GST 0.05"]],
  ["NU", ["GST 0.05"]],
  ["ON", ["HST 0.13"]],
  ["PE", ["HST 0.15"]],
  ["QC", ["GST 0.05", "QST 0.09975"]],
  ["SK", ["GST 0.05"]],
  ["YT", ["GST 0.05"]],
])("carriage to %s bears %j", (province, taxes) => {
  expect(namesAndRates(province)).toEqual(taxes);
});

test.each([
  ["NS", "2025-03-31T23:59:59Z", ["HST 0.15"]],
  ["NS", "2025-04-01T00:00:00Z", ["HST 0.14"]],
  ["PE", "2016-09-30T12:00:00Z", ["HST 0.14"]],
  ["PE", "2016-10-01T12:00:00Z", ["HST 0.15"]],
  ["BC", "2013-03-31T12:00:00Z", ["HST 0.12"]],
])("carriage to %s bought at %s bears %j", (province, sold, taxes) => {
  expect(namesAndRates(province, new Date(sold))).toEqual(taxes);
});

test("a destination without a known province bears the federal tax alone", () => {
  expect(namesAndRates(null)).toEqual(["GST 0.05"]);
});

test.each([
  ["CA", "US"],
  ["US", "CA"],
  ["US", "US"],
  ["CA", "FR"],
])("carriage from %s to %s bears no tax", (from_country_code, to_country_code) => {
  const lane = { from_country_code, to_country_code, to_province_code: "ON" };
  expect(taxLines(lane, 10_000, today)).toEqual([]);
});

test("each tax is rounded half-up on its own line", () => {
  // 5 % of 10.10 is 50.5 cents; 9.975 % of it is 100.7475.
  const amounts = taxLines(toProvince("QC"), 1010, today).map((line) => line.amount_cents);
  expect(amounts).toEqual([51, 101]);
});

test("every line is within half a cent of its rate, and whole", () => {
  const provinces = [...new Set(canadaTaxRates.map((row) => row.province_code))];
  fc.assert(
    fc.property(
      fc.constantFrom(...provinces),
      fc.integer({ min: 1, max: 100_000_000 }),
      (province, cents) => {
        const lines = taxLines(toProvince(province), cents, today);
        expect(lines.length).toBeGreaterThan(0);
        for (const { rate, amount_cents } of lines) {
          expect(Number.isInteger(amount_cents)).toBe(true);
          expect(Math.abs(amount_cents - cents * rate)).toBeLessThanOrEqual(0.5 + 1e-6);
        }
      },
    ),
  );
});

test("the table ascends by day within each province, so that the last matching row applies", () => {
  for (const [index, row] of canadaTaxRates.entries()) {
    const next = canadaTaxRates[index + 1];
    if (next?.province_code === row.province_code) {
      expect(next.valid_from > row.valid_from).toBe(true);
    }
  }
});
