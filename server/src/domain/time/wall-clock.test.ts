import { describe, expect, test } from "vitest";
import { isTimeZone } from "./wall-clock.ts";

describe("a time zone", () => {
  test("is UTC or one with an area that Node knows", () => {
    const known = Intl.supportedValuesOf("timeZone");
    expect(known.filter((name) => !isTimeZone(name))).toEqual([]);
    for (const name of ["UTC", "Etc/GMT+5", "America/Indiana/Knox"])
      expect([name, isTimeZone(name)]).toEqual([name, true]);
  });

  test.each([
    "+0530",
    "+05:00",
    "IST",
    "AET",
    "CET",
    "EST5EDT",
    "utc",
    "Toronto",
    "Mars/Olympus",
    "",
  ])("is not %j", (name) => expect(isTimeZone(name)).toBe(false));
});
