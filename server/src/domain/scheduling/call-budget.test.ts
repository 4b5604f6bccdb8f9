import fc from "fast-check";
import { expect, test } from "vitest";
import { callCount } from "./call-budget.ts";

const windowMs = 60_000;

test("in no window of its length are there more calls than are allowed, whenever they are made", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 12 }),
      (pauses, limit) => {
        const count = callCount(windowMs);
        const made: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          if (count.freeIn(now, limit) > 0) continue;
          count.add(now, 1);
          made.push(now);
        }
        for (const from of made)
          expect(
            made.filter((at) => at >= from && at < from + windowMs).length,
          ).toBeLessThanOrEqual(limit);
      },
    ),
  );
});

test("what is told to come free is free then, and not much later than it could be", () => {
  const count = callCount(windowMs);
  for (const now of [0, 10_000, 20_000]) count.add(now, 1);
  expect(count.used(20_000)).toBe(3);
  const free = count.freeIn(20_000, 3);
  expect(free).toBeGreaterThanOrEqual(40_000);
  expect(free).toBeLessThanOrEqual(42_000);
  expect(count.freeIn(20_000 + free, 3)).toBe(0);
  expect(count.freeIn(20_000, 4)).toBe(0);
  expect(count.freeIn(20_000, 2)).toBeGreaterThan(free);
});
