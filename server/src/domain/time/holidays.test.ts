import { expect, test } from "vitest";
import { provinces } from "../postal/provinces.ts";
import { computeHolidays } from "./compute-holidays.ts";
import { holidaysIn } from "./holidays.ts";

const places = ["CA", "US"].flatMap((country_code) =>
  [null, ...Object.keys(provinces[country_code]!)].map((province_code) => ({
    country_code,
    province_code,
  })),
);

test("every place has the holidays that the package computes, within the table and beyond it", () => {
  for (const place of places)
    for (const year of [2019, 2020, 2026, 2027, 2028, 2079, 2080])
      expect(holidaysIn(place, year), JSON.stringify(place)).toEqual(computeHolidays(place, year));
});

test("a place that is not in the table has holidays of its own", () => {
  const mexico = { country_code: "MX", province_code: null };
  expect(holidaysIn(mexico, 2026)).toContain("2026-09-16");
});
