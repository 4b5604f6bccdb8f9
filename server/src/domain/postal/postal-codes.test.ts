import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countryCodes, countryName, isCountryCode, postalSystemOf } from "./countries.ts";
import { normalisePostalCode, postalCodeForm } from "./postal-codes.ts";

/** A code that fits the format, from two numbers that pick the characters. */
function codeOf(format: string, pick: (choices: string) => string): string {
  return format.replace(/\[[^\]]+\]|[#@*]/g, (piece) => {
    if (piece === "#") return pick("0123456789");
    if (piece === "@" || piece === "*") return pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const members = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".match(new RegExp(piece, "g"));
    return pick(members!.join(""));
  });
}

describe("countries", () => {
  test("the 249 of ISO 3166-1 and Kosovo are known, each once and by an English name", () => {
    expect(countryCodes).toHaveLength(250);
    expect(countryCodes.filter((code) => countryName(code) === code)).toEqual([]);
    expect(countryName("CA")).toBe("Canada");
  });

  test.each(["UK", "ZZ", "EU", "AN", "ca", "", "CAN", "__"])("%j is no country", (code) => {
    expect(isCountryCode(code)).toBe(false);
  });

  test.each([
    ["CA", "required"],
    ["US", "required"],
    ["DE", "required"],
    ["IE", "optional"],
    ["HK", "none"],
    ["AE", "none"],
  ])("a postal code in %s is %s", (country, usage) => {
    expect(postalSystemOf(country).usage).toBe(usage);
  });
});

describe("normalisePostalCode", () => {
  test.each([
    ["CA", "k1a0b1", "K1A 0B1"],
    ["CA", " K1A-0B1 ", "K1A 0B1"],
    ["CA", "K1A  0B1", "K1A 0B1"],
    ["US", "123456789", "12345-6789"],
    ["US", "12345 6789", "12345-6789"],
    ["US", "12345", "12345"],
    ["PR", "00901", "00901"],
    ["GB", "sw1a1aa", "SW1A 1AA"],
    ["SE", "SE-11351", "113 51"],
    ["NL", "1012sz", "1012 SZ"],
    ["BR", "01310100", "01310-100"],
    ["JP", "1000001", "100-0001"],
    ["LV", "lv1010", "LV-1010"],
    ["IE", "a65tf12", "A65 TF12"],
    ["AE", "00000", "00000"],
  ])("in %s %j is written %j", (country, text, written) => {
    expect(normalisePostalCode(country, text)).toBe(written);
  });

  test.each([
    ["CA", "K1A 0B"],
    ["CA", "K1A 0D1"],
    ["CA", "W1A 0B1"],
    ["CA", "Z1A 0B1"],
    ["CA", "11A 0B1"],
    ["US", "1234"],
    ["US", "123456"],
    ["US", "12345-67890"],
    ["US", "ABCDE"],
    ["US", "١٢٣٤٥"],
    ["DE", "1011"],
    ["FR", "98025"],
    ["NL", "0603 JV"],
    ["GB", "12345"],
  ])("in %s %j is no postal code", (country, text) => {
    expect(normalisePostalCode(country, text)).toBeNull();
  });

  const systems = countryCodes.flatMap((country) =>
    postalSystemOf(country).formats.map((format) => ({ country, format })),
  );
  const oneOfTheFormats = fc.constantFrom(...systems);
  const picks = fc.infiniteStream(fc.nat());

  test("every code of every country's format is accepted, and writing it again changes nothing", () => {
    fc.assert(
      fc.property(oneOfTheFormats, picks, ({ country, format }, numbers) => {
        const code = codeOf(format, (choices) => choices[numbers.next().value! % choices.length]!);
        const written = normalisePostalCode(country, code);
        expect(written).not.toBeNull();
        expect(normalisePostalCode(country, written!)).toBe(written);
        const careless = code.replace(/[ -]/g, "").toLowerCase();
        expect(normalisePostalCode(country, careless)).toBe(written);
      }),
      { numRuns: 1000 },
    );
  });

  test("a form for people is known wherever there are codes", () => {
    expect(postalCodeForm("CA")).toBe("A9A 9A9");
    expect(postalCodeForm("US")).toBe("99999 or 99999-9999");
    expect(postalCodeForm("JP")).toBe("999-9999");
    for (const country of countryCodes) {
      const isFormless = postalSystemOf(country).formats.length === 0;
      expect(postalCodeForm(country) === "", country).toBe(isFormless);
    }
  });
});
