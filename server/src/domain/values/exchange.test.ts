import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchanged, inverseRate, rateWithMargin, readRate } from "./exchange.ts";
import { exchangeTable } from "./exchange-table.ts";

const rate = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 0, max: 8 }))
  .map(([digits, scale]) => Number(`${digits}e-${scale}`));
const cents = fc.integer({ min: -10_000_000_00, max: 10_000_000_00 });

describe("an exchanged amount", () => {
  test.each([
    [1000, 1.3712, 1371],
    [1, 1.5, 2],
    [-1, 1.5, -2],
    [3, 0.5, 2],
    [100, 1.005, 101],
    [1_00, 1.004999999999, 100],
    [999_999_999, 0.00907029478458, 9_070_295],
  ])("of %s at %s is %s, rounded half-up", (amount, at, expected) => {
    expect(exchanged(amount, at)).toBe(expected);
  });

  test("is the exact product, rounded once", () => {
    fc.assert(
      fc.property(cents, rate, (amount, at) => {
        const [whole = "", part = ""] = at.toFixed(8).split(".");
        const exact = BigInt(amount) * BigInt(whole + part);
        // A number holds no more cents than these exactly: ninety trillion dollars.
        fc.pre(Math.abs(amount * at) <= Number.MAX_SAFE_INTEGER);
        const twice = 2n * BigInt(exchanged(amount, at)) * 10n ** 8n - 2n * exact;
        const off = exact < 0n ? -twice : twice;
        expect(off > -(10n ** 8n) && off <= 10n ** 8n).toBe(true);
      }),
    );
  });

  test("of a negative amount is the negative amount", () => {
    fc.assert(
      fc.property(cents, rate, (amount, at) => {
        expect(exchanged(-amount, at) + exchanged(amount, at)).toBe(0);
      }),
    );
  });
});

describe("an inverse rate", () => {
  test.each([
    [1.25, 0.8],
    [1.3712, 0.729288214702],
    [3, 0.333333333333],
    [0.0091, 109.89010989],
    [7, 0.142857142857],
  ])("of %s is %s", (of, expected) => expect(inverseRate(of)).toBe(expected));

  test("times the rate is one, to twelve digits", () => {
    fc.assert(
      fc.property(rate, (of) => {
        expect(Math.abs(inverseRate(of) * of - 1)).toBeLessThan(1e-11);
      }),
    );
  });
});

test("a margin raises the rate by its percent", () => {
  expect(rateWithMargin(1.3712, 0)).toBe(1.3712);
  expect(rateWithMargin(1.35, 2)).toBe(1.377);
  expect(rateWithMargin(1.3712, 2.5)).toBe(1.40548);
});

test("a rate is a positive decimal of at most twelve significant digits", () => {
  for (const [text, value] of [
    ["1.3712", 1.3712],
    ["0.0091", 0.0091],
    ["110.250", 110.25],
    [1.5, 1.5],
  ] as const)
    expect(readRate(text)).toBe(value);
  for (const bad of [
    ["0", "-1", "", "1,37", "1e3", "NaN", "Bank holiday", "1.2345678901234", "99999999999"],
    [0, -1.5, Number.NaN, Number.POSITIVE_INFINITY, 1.234567890123],
  ].flat())
    expect([bad, readRate(bad)]).toEqual([bad, null]);
});

describe("the table of a day", () => {
  const rates = [
    { base: "USD", quote: "CAD", rate: 1.36, valid_from: "2026-10-01" },
    { base: "USD", quote: "CAD", rate: 1.37, valid_from: "2026-10-05" },
    { base: "USD", quote: "CAD", rate: 1.4, valid_from: "2026-10-06" },
    { base: "CAD", quote: "EUR", rate: 0.625, valid_from: "2026-10-05" },
  ];
  const table = exchangeTable(rates, "2026-10-05");

  test("has the newest rate that is not of a later day", () => {
    expect(table.find("USD", "CAD")).toEqual({
      from: "USD",
      to: "CAD",
      rate: 1.37,
      valid_from: "2026-10-05",
    });
    expect(exchangeTable(rates, "2026-10-04").find("USD", "CAD")?.rate).toBe(1.36);
    expect(exchangeTable(rates, "2026-09-30").find("USD", "CAD")).toBeNull();
  });

  test("has the inverse of a pair, and no rate by way of a third currency", () => {
    expect(table.find("EUR", "CAD")?.rate).toBe(1.6);
    expect(table.find("CAD", "USD")?.rate).toBe(inverseRate(1.37));
    expect(table.find("USD", "EUR")).toBeNull();
  });

  test("prefers a newer opposite rate, and on the same day the stored one", () => {
    const opposite = { base: "CAD", quote: "USD", rate: 0.7, valid_from: "2026-10-05" };
    expect(exchangeTable([...rates, opposite], "2026-10-05").find("USD", "CAD")?.rate).toBe(1.37);
    const newer = { ...opposite, valid_from: "2026-10-07" };
    expect(exchangeTable([...rates, newer], "2026-10-07").find("USD", "CAD")?.rate).toBe(
      inverseRate(0.7),
    );
  });
});
