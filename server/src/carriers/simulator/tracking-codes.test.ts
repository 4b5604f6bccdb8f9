import fc from "fast-check";
import { expect, test } from "vitest";
import { courierOf } from "./carriers/carriers.ts";
import { trackingCode } from "./tracking-codes.ts";

test.each([
  // Codes that the carriers' own interfaces issued.
  ["ups", "1Z023E2X0214323462"],
  ["ups", "1Z2220060290602143"],
  ["purolator", "329014521622"],
  ["purolator", "329015010179"],
  ["fedex", "794791292805"],
  ["fedex", "776094337676"],
  ["usps", "9205590006662200704797"],
  ["usps", "9234690361980900000142"],
  ["canada_post", "7023210039414604"],
  ["canada_post", "1371134583769923"],
])("the check digit of %s %s is the carrier's", (carrier, code) => {
  const body = code.replace(/^1Z/, "").slice(0, -1);
  expect(courierOf(carrier).tracking_codes.checkDigit(body)).toBe(code.at(-1));
});

const forms = {
  canada_post: /^\d{16}$/,
  purolator: /^329\d{9}$/,
  ups: /^1Z[0-9A-Z]{6}03\d{8}$/,
  fedex: /^\d{12}$/,
  usps: /^92055\d{17}$/,
};

test.each(Object.entries(forms))(
  "codes of %s have its form, and no two are the same",
  (carrier, form) => {
    const serials = fc.uniqueArray(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 2 });
    fc.assert(
      fc.property(fc.string(), serials, (seed, numbers) => {
        const codes = numbers.map((serial) => trackingCode(carrier, seed, serial));
        expect(codes.every((code) => form.test(code))).toBe(true);
        expect(new Set(codes).size).toBe(codes.length);
      }),
    );
  },
);
