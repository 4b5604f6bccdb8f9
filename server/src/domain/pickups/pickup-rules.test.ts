import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, isBusinessDay } from "../time/business-days.ts";
import { placeKey, windowProblems, type PickupTimes } from "./pickup-rules.ts";

const place = { country_code: "CA", province_code: "ON" };
const times: PickupTimes = { cutoff: "14:00", window_minutes_min: 120, days_ahead_max: 14 };
const ups = { name: "UPS", times };
// A Wednesday.
const now = { day: "2026-10-07", time: "10:00" };
const window = { date: "2026-10-08", ready_time: "09:00", close_time: "17:00" };
const validate = (changes: Partial<typeof window>, at = now, carriers = [ups]) =>
  windowProblems({ ...window, ...changes }, carriers, { now: at, place });

test("tomorrow from nine to five is fine", () => {
  expect(validate({})).toEqual({});
});

test.each([
  ["yesterday", { date: "2026-10-06" }, "date"],
  ["a Saturday", { date: "2026-10-10" }, "date"],
  ["Thanksgiving", { date: "2026-10-12" }, "date"],
  ["too far ahead", { date: "2026-10-22" }, "date"],
  ["the end of all calendars", { date: "9999-12-31" }, "date"],
  ["closed before it opens", { ready_time: "17:00", close_time: "09:00" }, "close_time"],
  ["no time at all", { ready_time: "09:00", close_time: "09:00" }, "close_time"],
  ["too short a time", { ready_time: "15:01" }, "close_time"],
])("%s is not: %o", (_name, changes, field) => {
  expect(Object.keys(validate(changes))).toEqual([field]);
});

test("every wrong field is named at once", () => {
  expect(Object.keys(validate({ date: "2026-10-10", ready_time: "18:00" }))).toEqual([
    "date",
    "close_time",
  ]);
});

test.each([
  ["13:59", []],
  ["14:00", ["date"]],
  ["23:59", ["date", "close_time"]],
])("requested today at %s: problems with %o", (time, fields) => {
  expect(Object.keys(validate({ date: now.day }, { ...now, time }))).toEqual(fields);
});

test("of today only the rest of the window counts", () => {
  const at = { ...now, time: "13:30" };
  expect(validate({ date: now.day, close_time: "15:30" }, at)).toEqual({});
  expect(validate({ date: now.day, close_time: "15:29" }, at)).toEqual({
    close_time: ["must be at least 120 minutes from now (13:30) on for UPS."],
  });
});

test("of several carriers each has its own cutoff", () => {
  const early = { name: "USPS", times: { ...times, cutoff: "02:00" } };
  const problems = validate({ date: now.day }, now, [ups, early]);
  expect(problems).toEqual({
    date: ["USPS takes pickups for the same day until 02:00, and it is 10:00 at the address."],
  });
});

const clock = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(
    (minutes) =>
      `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`,
  );

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

test("a window passes if and only if the carrier can be there in it", () => {
  const anyTimes = fc.record({
    cutoff: clock,
    window_minutes_min: fc.integer({ min: 1, max: 480 }),
    days_ahead_max: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(
      fc.record({ times: anyTimes, ready_time: clock, close_time: clock, time: clock }),
      fc.integer({ min: -5, max: 35 }),
      ({ times, ready_time, close_time, time }, offset) => {
        const date = addDays(now.day, offset);
        const from = offset === 0 && time > ready_time ? time : ready_time;
        const comes =
          offset >= 0 &&
          offset <= times.days_ahead_max &&
          isBusinessDay(date, place) &&
          !(offset === 0 && time >= times.cutoff) &&
          close_time > ready_time &&
          minutes(close_time) - minutes(from) >= times.window_minutes_min;
        const problems = windowProblems(
          { date, ready_time, close_time },
          [{ name: "UPS", times }],
          { now: { ...now, time }, place },
        );
        expect(Object.keys(problems).length === 0).toBe(comes);
      },
    ),
  );
});

test("places differ by what a driver needs to find them, and not by spelling", () => {
  const ottawa = {
    address1: "111 Wellington Street",
    address2: null,
    city: "Ottawa",
    province_code: "ON",
    postal_code: "K1A 0A9",
    country_code: "CA",
  };
  expect(placeKey({ ...ottawa, address1: "111  wellington STREET " })).toBe(placeKey(ottawa));
  expect(placeKey({ ...ottawa, address2: "Dock 4" })).not.toBe(placeKey(ottawa));
  expect(placeKey({ ...ottawa, postal_code: "K1A 0A8" })).not.toBe(placeKey(ottawa));
});
