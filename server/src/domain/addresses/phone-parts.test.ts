import fc from "fast-check";
import { expect, test } from "vitest";
import { splitPhone } from "./phone-parts.ts";

test.each([
  ["+14165550100", "1", "416", "5550100", null],
  ["(416) 555-0100", "1", "416", "5550100", null],
  ["1 416.555.0100", "1", "416", "5550100", null],
  ["416-555-0100 ext. 42", "1", "416", "5550100", "42"],
  ["416-555-0100 x7", "1", "416", "5550100", "7"],
  ["+44 20 7946 0018", "44", "207", "9460018", null],
  ["0049 30 12345678", "49", "301", "2345678", null],
  ["+353 1 234 5678", "353", "1", "2345678", null],
])("%s is +%s (%s) %s", (phone, country_code, area_code, number, extension) => {
  expect(splitPhone(phone)).toEqual({ country_code, area_code, number, extension });
});

test.each([
  "",
  "555-0100",
  "416555010",
  "+1416555010",
  "+44",
  "call me",
  "416-555-0100 home",
  "+9999999999999999",
])("%j is not whole", (phone) => {
  expect(splitPhone(phone)).toBeNull();
});

test("no digit is invented or lost", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[\d ().-]{0,18}$/), (phone) => {
      const parts = splitPhone(phone);
      if (!parts) return;
      const { country_code, area_code, number } = parts;
      const digits = phone.replaceAll(/\D/g, "").replace(/^00/, "");
      expect([digits, `1${digits}`]).toContain(country_code + area_code + number);
    }),
  );
});
