import { expect, test } from "vitest";
import { provinces } from "../postal/provinces.ts";
import { timeZoneOf } from "./time-zones.ts";

const zone = (country_code: string, province_code: string | null, postal_code: string | null) =>
  timeZoneOf({ country_code, province_code, postal_code });

test("every province and state has a known time zone", () => {
  for (const country of ["CA", "US"]) {
    for (const province of Object.keys(provinces[country]!)) {
      const name = zone(country, province, null);
      expect(() => new Intl.DateTimeFormat("en-CA", { timeZone: name })).not.toThrow();
      const isToronto = country === "CA" && ["ON", "QC"].includes(province);
      expect([province, name === "America/Toronto"]).toEqual([province, isToronto]);
    }
  }
});

test.each([
  ["CA", "ON", "K1A 0A9", "America/Toronto"],
  ["CA", "ON", "P9N 1A1", "America/Winnipeg"],
  ["CA", "BC", "V1C 2A1", "America/Edmonton"],
  ["CA", "BC", "V6G 3E2", "America/Vancouver"],
  ["CA", "SK", "S9V 0A1", "America/Edmonton"],
  ["CA", "SK", "S4P 3Y2", "America/Regina"],
  ["CA", "QC", "G4T 1A1", "America/Halifax"],
  ["CA", "NL", "A0P 1E0", "America/Goose_Bay"],
  ["CA", "NU", "X0C 0G0", "America/Rankin_Inlet"],
  ["US", "TX", "79901", "America/Denver"],
  ["US", "TX", "79830", "America/Chicago"],
  ["US", "MI", "49801", "America/Chicago"],
  ["US", "TX", "79901-0001", "America/Denver"],
  ["CA", null, null, "America/Toronto"],
  ["US", "FL", "32501-1234", "America/Chicago"],
  ["US", "FL", "33101", "America/New_York"],
  ["US", "TN", "37902", "America/New_York"],
  ["US", "AZ", "85001", "America/Phoenix"],
  ["US", "PR", "00901", "America/Puerto_Rico"],
  ["PR", null, "00901", "America/Puerto_Rico"],
  ["DE", null, "10115", "America/Toronto"],
])("%s %s %s is in %s", (country, province, code, name) => {
  expect(zone(country, province, code)).toBe(name);
});
