import { expect, test } from "vitest";
import { afterFailure, afterSuccess, consequenceOf, type WebhookHealth } from "./webhook-health.ts";

const start = new Date("2026-11-01T00:00:00Z");
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

function failing(count: number): WebhookHealth {
  let health = afterSuccess(start);
  for (let nth = 0; nth < count; nth++) health = afterFailure(health, start);
  return health;
}

test("a webhook is told of after a day of failures, once for each spell", () => {
  const health = failing(1);
  expect(consequenceOf(health, hoursLater(23.9))).toBeNull();
  expect(consequenceOf(health, hoursLater(24))).toBe("tell");
  expect(consequenceOf({ ...health, is_failing_told: true }, hoursLater(60))).toBeNull();
  const again = afterFailure(afterSuccess(hoursLater(60)), hoursLater(61));
  expect(again).toMatchObject({ failure_count: 1, is_failing_told: false });
  expect(consequenceOf(again, hoursLater(84))).toBeNull();
});

test("it is disabled after five days and twenty failures, not after either alone", () => {
  expect(consequenceOf(failing(20), hoursLater(120))).toBe("disable");
  expect(consequenceOf(failing(19), hoursLater(120))).toBe("tell");
  expect(consequenceOf(failing(1000), hoursLater(119))).toBe("tell");
  expect(consequenceOf(afterSuccess(hoursLater(119)), hoursLater(120))).toBeNull();
});
