import { expect, test } from "vitest";
import { endOfDay, startOfDay } from "./zone-days.ts";

test("a day begins and ends by the clocks of its zone", () => {
  expect(startOfDay("2026-11-01", "America/Toronto")).toBe("2026-11-01T04:00:00.000Z");
  expect(endOfDay("2026-11-30", "America/Toronto")).toBe("2026-12-01T04:59:59.999Z");
  expect(startOfDay("2026-11-01", "Asia/Tokyo")).toBe("2026-10-31T15:00:00.000Z");
});

test("a day on which the clocks change has its 25 or 23 hours", () => {
  const hours = (day: string) =>
    (Date.parse(endOfDay(day, "America/Toronto")) -
      Date.parse(startOfDay(day, "America/Toronto"))) /
    3_600_000;
  expect(Math.round(hours("2026-11-01"))).toBe(25);
  expect(Math.round(hours("2026-03-08"))).toBe(23);
});
