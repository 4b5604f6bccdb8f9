import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, isBusinessDay, nextBusinessDay } from "./business-days.ts";
import { provinces } from "../postal/provinces.ts";
import { localMoment } from "./time-zones.ts";

const ontario = { country_code: "CA", province_code: "ON" };
const quebec = { country_code: "CA", province_code: "QC" };
const massachusetts = { country_code: "US", province_code: "MA" };
const military = { country_code: "US", province_code: "AE" };

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

test.each([
  ["2026-07-01", "Canada Day", ontario],
  ["2026-02-16", "Family Day", ontario],
  ["2026-12-25", "Christmas", quebec],
  ["2026-11-26", "Thanksgiving in the United States", massachusetts],
  ["2026-04-20", "Patriots' Day", massachusetts],
  ["2026-07-03", "Independence Day, made up for on the Friday", massachusetts],
  [
    "2026-12-25",
    "Christmas, for military mail, whose states have no holidays of their own",
    military,
  ],
])("no business day: %s, %s", (day, _name, place) => {
  expect(isBusinessDay(day, place)).toBe(false);
});

test.each([
  ["2026-11-11", "Remembrance Day, where it is a working day", ontario],
  ["2026-11-26", "another country's Thanksgiving", ontario],
  ["2026-04-20", "another state's Patriots' Day", military],
])("a business day: %s, %s", (day, _name, place) => {
  expect(isBusinessDay(day, place)).toBe(true);
});

const anyDay = fc.integer({ min: 0, max: 3650 }).map((offset) => addDays("2024-01-01", offset));
const anyPlace = fc.constantFrom(
  ...Object.entries(provinces).flatMap(([country_code, known]) =>
    Object.keys(known).map((province_code) => ({ country_code, province_code })),
  ),
);

test("the next business day is one, within nine days, with none between", () => {
  fc.assert(
    fc.property(anyDay, anyPlace, (day, place) => {
      const next = nextBusinessDay(day, place);
      expect(isBusinessDay(next, place)).toBe(true);
      expect(next > day && next <= addDays(day, 9)).toBe(true);
      for (let between = addDays(day, 1); between < next; between = addDays(between, 1))
        expect(isBusinessDay(between, place)).toBe(false);
    }),
  );
});
