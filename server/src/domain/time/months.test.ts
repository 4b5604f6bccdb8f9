import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayAt, firstDayOf, lastDayOf, monthAfter, monthAt, startOf } from "./months.ts";

const zones = Intl.supportedValuesOf("timeZone");
const someZone = fc.constantFrom(...zones);
const someMonth = fc
  .record({ year: fc.integer({ min: 2012, max: 2040 }), place: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, place }) => `${year}-${String(place).padStart(2, "0")}`);

test("a month begins in every zone at the first moment whose local day is its first", () => {
  fc.assert(
    fc.property(someZone, someMonth, (zone, month) => {
      const start = startOf(month, zone);
      expect(monthAt(start, zone)).toBe(month);
      expect(dayAt(start, zone)).toBe(firstDayOf(month));
      expect(monthAfter(monthAt(new Date(start.getTime() - 1), zone))).toBe(month);
    }),
    { numRuns: 2000 },
  );
});

test("every moment is in the month between its start and the next one's", () => {
  const moments = fc.date({
    min: new Date("2012-01-01"),
    max: new Date("2040-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(someZone, moments, (zone, moment) => {
      const month = monthAt(moment, zone);
      expect(startOf(month, zone).getTime()).toBeLessThanOrEqual(moment.getTime());
      expect(moment.getTime()).toBeLessThan(startOf(monthAfter(month), zone).getTime());
    }),
    { numRuns: 2000 },
  );
});

describe("a month begins by the local time of its zone", () => {
  test.each([
    ["America/Toronto", "2026-11", "2026-11-01T04:00:00.000Z"],
    ["America/Toronto", "2026-12", "2026-12-01T05:00:00.000Z"],
    ["America/St_Johns", "2026-11", "2026-11-01T02:30:00.000Z"],
    ["America/Vancouver", "2024-03", "2024-03-01T08:00:00.000Z"],
    ["Pacific/Auckland", "2026-05", "2026-04-30T12:00:00.000Z"],
    ["Asia/Kathmandu", "2026-01", "2025-12-31T18:15:00.000Z"],
    // The clocks moved from midnight to one o'clock on the first.
    ["America/Asuncion", "2017-10", "2017-10-01T04:00:00.000Z"],
    // At a minute past midnight they went back into October, for an hour.
    ["America/St_Johns", "2009-11", "2009-11-01T02:30:00.000Z"],
  ])("%s %s at %s", (zone, month, start) => {
    expect(startOf(month, zone).toISOString()).toBe(start);
  });
});

test("months and their days follow the calendar", () => {
  expect([monthAfter("2026-12"), monthAfter("2026-01")]).toEqual(["2027-01", "2026-02"]);
  expect(["2024-02", "2026-02", "2026-10"].map(lastDayOf)).toEqual([
    ...["2024-02-29", "2026-02-28", "2026-10-31"],
  ]);
});
