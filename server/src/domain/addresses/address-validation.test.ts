import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressProblems } from "./address-rules.ts";
import type { AddressToValidate } from "./address-validation-schemas.ts";
import { addressInRequest, validateAddress } from "./address-validation.ts";
import { ApiError } from "../errors/errors.ts";

const montreal: AddressToValidate = {
  name: "Marie Roy",
  address1: "275 Notre-Dame St E",
  city: "Montréal",
  province_code: "QC",
  postal_code: "H2Y 1C6",
  country_code: "CA",
};

const validateWith = (change: AddressToValidate) => {
  const { status, is_valid, messages } = validateAddress({ ...montreal, ...change });
  return { status, is_valid, codes: messages.map(({ code }) => code) };
};

describe("validateAddress", () => {
  test("a good address is verified unchanged", () => {
    const result = validateAddress(montreal);
    expect(result).toMatchObject({ status: "verified", is_valid: true, changes: [], messages: [] });
    expect(result.original).toBe(montreal);
    expect(result.address.is_residential).toBe(true);
  });

  test("what can be written better is corrected, and each change is named", () => {
    const sent = { ...montreal, city: " Montréal", province_code: "Québec", postal_code: "h2y1c6" };
    const result = validateAddress(sent);
    expect(result).toMatchObject({ status: "corrected", is_valid: true });
    expect(result.changes).toEqual([
      { field: "city", from: " Montréal", to: "Montréal" },
      { field: "province_code", from: "Québec", to: "QC" },
      { field: "postal_code", from: "h2y1c6", to: "H2Y 1C6" },
    ]);
    expect(result.messages.map(({ code }) => code)).toEqual([
      "province_normalized",
      "postal_code_normalized",
    ]);
  });

  test("a missing province is found by the postal code", () => {
    const result = validateAddress({ ...montreal, province_code: null });
    expect(result.changes).toEqual([{ field: "province_code", from: null, to: "QC" }]);
    expect(result.status).toBe("corrected");
  });

  test.each([
    [{ province_code: "ON" }, "invalid", ["postal_code_province_mismatch"]],
    [{ province_code: "ZZ" }, "invalid", ["province_unknown"]],
    [{ province_code: null, postal_code: "K1A 0B1" }, "invalid", ["province_unknown"]],
    [{ postal_code: "H2Y 1C" }, "invalid", ["postal_code_format"]],
    [{ postal_code: null }, "invalid", ["postal_code_format"]],
    [{ city: " " }, "invalid", ["city_missing"]],
    [{ address1: null }, "invalid", ["street_missing"]],
    [{ country_code: "XX" }, "invalid", ["country_unsupported"]],
    [{ country_code: null }, "invalid", ["country_unsupported"]],
    [{ postal_code: "H9Z 1A1" }, "warning", ["postal_code_unknown"]],
    [{ address1: "Case postale 12" }, "warning", ["po_box"]],
    [{ address1: "Notre-Dame St E" }, "warning", ["street_number_missing"]],
    [{ address1: "One Infinite Loop" }, "verified", []],
    [{ name: "x".repeat(41) }, "warning", ["field_truncated"]],
  ] as const)("%j: %s", (change, status, codes) => {
    expect(validateWith(change)).toEqual({ status, is_valid: status !== "invalid", codes });
  });

  test("of other countries only the form is checked, and the result states so", () => {
    const berlin = { ...montreal, province_code: null, country_code: "DE", postal_code: "10115" };
    expect(validateAddress(berlin).messages).toMatchObject([
      { code: "country_unsupported", severity: "warning", field: "country_code" },
    ]);
    const codes = validateAddress({ ...berlin, postal_code: "101" }).messages.map(
      ({ code }) => code,
    );
    expect(codes).toContain("postal_code_format");
  });

  test("lengths count characters, not bytes or UTF-16 units", () => {
    expect(validateWith({ city: "é".repeat(35) }).codes).toEqual([]);
    const { address } = validateAddress({ ...montreal, city: "🏙".repeat(36) });
    expect(address.city).toBe("🏙".repeat(35));
  });

  test("characters that no label can carry are removed", () => {
    const { address } = validateAddress({ ...montreal, address1: "275\0Notre-Dame\uD800" });
    expect(address.address1).toBe("275 Notre-Dame");
  });

  test("an address that validates can be used to create a shipment", () => {
    const text = fc.option(fc.string({ unit: "binary", maxLength: 60 }), { nil: null });
    const address = fc.record({
      address1: text,
      city: text,
      province_code: fc.oneof(text, fc.constantFrom("QC", "on", "Ohio", "MA")),
      postal_code: fc.oneof(text, fc.constantFrom("H2Y1C6", "k1a 0b1", "44101", "021081234")),
      country_code: fc.constantFrom("CA", "us", "GB", "HK", "PR"),
    });
    fc.assert(
      fc.property(address, (sent) => {
        const result = validateAddress({ ...sent, name: "Marie Roy" });
        const problems = addressProblems(result.address);
        expect(Object.keys(problems).length === 0, JSON.stringify(problems)).toBe(result.is_valid);
        const again = validateAddress({ ...result.address, tax_identifier: null });
        expect(again.changes).toEqual([]);
        expect(again.is_valid).toBe(result.is_valid);
      }),
      { numRuns: 500 },
    );
  });
});

describe("addressInRequest", () => {
  test("the address may be the body or under address", () => {
    expect(addressInRequest(montreal)).toEqual(montreal);
    expect(addressInRequest({ address: montreal })).toEqual(montreal);
  });

  test.each([{}, { address: {} }, { address: null }, { is_residential: true }])(
    "%j is no address at all",
    (body) => {
      expect(() => addressInRequest(body)).toThrow(ApiError);
    },
  );
});
