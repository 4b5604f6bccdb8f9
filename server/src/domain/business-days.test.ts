import { expect, test } from "vitest";
import { isBusinessDay, nextBusinessDay } from "./business-days.ts";
import { provinces } from "./postal/provinces.ts";
import { localMoment, timeZoneOf } from "./time-zones.ts";

const ontario = { country_code: "CA", province_code: "ON" };
const quebec = { country_code: "CA", province_code: "QC" };

test("the business day after a Friday is the Monday", () => {
  expect(nextBusinessDay("2026-10-16", ontario)).toBe("2026-10-19");
});

test("a holiday is the province's own", () => {
  expect(isBusinessDay("2026-06-24", quebec)).toBe(false);
  expect(isBusinessDay("2026-06-24", ontario)).toBe(true);
  expect(nextBusinessDay("2026-02-13", ontario)).toBe("2026-02-17");
  expect(nextBusinessDay("2026-02-13", quebec)).toBe("2026-02-16");
});

test("holidays fall where their year puts them, across the year's end too", () => {
  expect(nextBusinessDay("2026-12-24", ontario)).toBe("2026-12-28");
  expect(nextBusinessDay("2026-12-31", { country_code: "US", province_code: "NY" })).toBe(
    "2027-01-04",
  );
});

test("a day begins at each place in its own time", () => {
  const moment = new Date("2026-10-06T03:30:00Z");
  expect(localMoment(moment, ontario)).toEqual({ day: "2026-10-05", time: "23:30" });
  const newfoundland = { country_code: "CA", province_code: "NL" };
  expect(localMoment(moment, newfoundland)).toEqual({ day: "2026-10-06", time: "01:00" });
  const midnight = new Date("2026-10-06T04:00:00Z");
  expect(localMoment(midnight, ontario)).toEqual({ day: "2026-10-06", time: "00:00" });
});

test("every province and state has a time zone that exists", () => {
  for (const country_code of ["CA", "US"]) {
    for (const province_code of Object.keys(provinces[country_code]!)) {
      const zone = timeZoneOf({ country_code, province_code });
      expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
      const isElsewhere = zone !== "America/Toronto";
      const isEastern = ["ON", "QC", "NU"].includes(province_code) && country_code === "CA";
      expect(isElsewhere, `${country_code} ${province_code}`).toBe(!isEastern);
    }
  }
});
