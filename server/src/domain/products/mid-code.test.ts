import fc from "fast-check";
import { expect, test } from "vitest";
import { midCode, type ManufacturerAddress } from "./mid-code.ts";

const at = (changes: Partial<ManufacturerAddress> = {}): ManufacturerAddress => ({
  address1: null,
  address2: null,
  city: "Tokyo",
  province_code: null,
  postal_code: null,
  country_code: null,
  ...changes,
});

/** Of the name alone: the part between the country and the city. */
const nameOf = (name: string) => midCode(name, at(), "JP")?.slice(2, -3);

test.each([
  ["Amalgamated Plastics Corp.", "AMAPLA"],
  ["Bergstrom", "BER"],
  ["A.B.C. Company", "ABCCOM"],
  ["A B C Company", "ABCCOM"],
  ["O.A.S.I.S. Corp.", "OASCOR"],
  ["Dr. S.A. Smith", "DRSA"],
  ["Shavings B L Inc.", "SHABL"],
  ["The Embassy of Spain", "EMBSPA"],
  ["Rawles-Aden Corp.", "RAWCOR"],
  ["Rawles - Aden Corp.", "RAWCOR"],
  ["20th Century Fox", "20TCEN"],
  ["Concept 2000", "CON200"],
  ["L'Émérillon d'Ébène", "LEMDEB"],
])("the name %s is %s, as CBP's own examples are built", (name, expected) => {
  expect(nameOf(name)).toBe(expected);
});

test.each([
  ["11455 Main Street Suite 9999", "1145"],
  ["1 Main Street Suite 9999", "9999"],
  ["One Hundred Century Plaza", ""],
  ["12,34,56 Alaska Road", "1234"],
  ["12-34-56 Alaska Road", "1234"],
  ["2 24 Main", "24"],
])("of the address %s the number is %s", (address1, number) => {
  expect(midCode("Bergstrom", at({ address1 }), "JP")).toBe(`JPBER${number}TOK`);
});

test.each([
  ["St. Michel", "STM"],
  ["18-Mile High", "MIL"],
  ["The Hague", "HAG"],
])("the city %s is %s", (city, expected) => {
  expect(midCode("Bergstrom", at({ city }), "JP")).toBe(`JPBER${expected}`);
});

test("Canada's provinces replace the country", () => {
  const montreal = at({ address1: "275 Rue Notre-Dame", city: "Montréal", province_code: "QC" });
  expect(midCode("Maple Knits Ltd.", montreal, "CA")).toBe("XQMAPKNI275MON");
  expect(midCode("Maple Knits Ltd.", { ...montreal, province_code: null }, "CA")).toBeNull();
});

test("the place of manufacture does not determine the maker's: the address's own country counts", () => {
  expect(midCode("Bergstrom", at({ country_code: "se" }), "JP")).toBe("SEBERTOK");
});

test("whatever the texts, there is no code or one of 5 to 15 capitals and digits", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (name, address1, city) => {
      const code = midCode(name, at({ address1, city }), "CN");
      if (code !== null) expect(code).toMatch(/^CN[A-Z0-9]{1,6}\d{0,4}[A-Z]{1,3}$/);
    }),
  );
});
