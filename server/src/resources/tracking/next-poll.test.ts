import fc from "fast-check";
import { expect, test } from "vitest";
import { trackingStatuses } from "../../domain/shipments/shipment-status.ts";
import { nextPollSeconds, type PolledTracker } from "./next-poll.ts";

const day = 86_400;
const limits = { base_seconds: 1800, quiet_days_max: 60 };
const next = (looked: Partial<PolledTracker>, spread = 0) =>
  nextPollSeconds(
    { status: "in_transit", quiet_seconds: 0, failure_count: 0, ...looked },
    limits,
    spread,
  );

test("after news a carrier is polled again soon, on the day of the delivery sooner", () => {
  expect(next({})).toBe(1800);
  expect(next({ status: "out_for_delivery" })).toBe(900);
});

test("the longer there was no news, the longer the interval, up to a day", () => {
  expect(next({ quiet_seconds: 2 * day })).toBe(0.2 * day);
  expect(next({ quiet_seconds: 30 * day })).toBe(day);
});

test("a poll without a response is repeated after twice the interval each time, up to a day", () => {
  expect([1, 2, 3].map((failure_count) => next({ failure_count }))).toEqual([3600, 7200, 14_400]);
  expect(next({ failure_count: 1000 })).toBe(day);
});

test("what was delivered, and what was without news for too long, is polled no more", () => {
  expect(next({ status: "delivered" })).toBeNull();
  expect(next({ quiet_seconds: 60 * day + 1 })).toBeNull();
});

test("the next poll is never sooner than half the shortest interval, and never much later than a day", () => {
  const looked = fc.record({
    status: fc.constantFrom(...trackingStatuses.filter((status) => status !== "delivered")),
    quiet_seconds: fc.integer({ min: 0, max: 60 * day }),
    failure_count: fc.nat(),
  });
  fc.assert(
    fc.property(looked, fc.double({ min: 0, max: 1, noNaN: true }), (each, spread) => {
      const seconds = next(each, spread)!;
      expect(seconds).toBeGreaterThanOrEqual(900);
      expect(seconds).toBeLessThanOrEqual(1.1 * day);
    }),
  );
});
