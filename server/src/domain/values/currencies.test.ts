import { expect, test } from "vitest";
import { currencies } from "./currencies.ts";
import { Currency } from "./schema.ts";
import { problemsOf } from "../validation/validation.ts";

test("every currency is known to Intl, and listed once", () => {
  const known = new Set(Intl.supportedValuesOf("currency"));
  expect(currencies.filter((code) => !known.has(code))).toEqual([]);
  expect(new Set(currencies).size).toBe(currencies.length);
});

test.each(["CAD", "USD", "JPY", "XOF"])("%s is a currency", (code) => {
  expect(problemsOf(Currency(), code)).toEqual({});
});

test.each(["ZZZ", "XXX", "XTS", "XAU", "XDR", "cad", "CADX", "", "CAD|USD"])(
  "%s is none",
  (code) => {
    expect(problemsOf(Currency(), code)).toEqual({
      "": ["must be a currency's code of ISO 4217, such as CAD."],
    });
  },
);
