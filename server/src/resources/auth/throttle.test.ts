import { expect, test } from "vitest";
import type { ApiError } from "../../domain/errors/errors.ts";
import { throttleTries, type Throttle } from "./throttle.ts";

function aThrottle() {
  let now = Date.UTC(2026, 10, 28);
  const throttle = throttleTries({ now: () => new Date(now) });
  return { throttle, pass: (seconds: number) => void (now += seconds * 1000) };
}

/** The seconds to wait that a try is refused with; 0 for one that counts. */
function tried(throttle: Throttle, who: string, address?: string): number {
  try {
    throttle.begin(who, address);
    return 0;
  } catch (error) {
    return (error as ApiError).retry_after!;
  }
}

const times = <T>(count: number, each: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => each(nth));

test("an address has five tries at once, then pauses that double up to a minute", () => {
  const { throttle, pass } = aThrottle();
  expect(times(5, () => tried(throttle, "ada", "1.1.1.1"))).toEqual([0, 0, 0, 0, 0]);
  const pauses = times(9, () => {
    const seconds = tried(throttle, "ada", "1.1.1.1");
    pass(seconds);
    expect(tried(throttle, "ada", "1.1.1.1")).toBe(0);
    return seconds;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("tries that are refused do not make the pause longer", () => {
  const { throttle, pass } = aThrottle();
  times(8, () => {
    tried(throttle, "ada", "1.1.1.1");
    pass(4);
  });
  times(1000, () => tried(throttle, "ada", "1.1.1.1"));
  expect(tried(throttle, "ada", "1.1.1.1")).toBe(4);
  times(1000, () => tried(throttle, "ada", "1.1.1.1"));
  pass(4);
  expect(tried(throttle, "ada", "1.1.1.1")).toBe(0);
});

test("tries from one address, for days, do not keep the owner at another one out", () => {
  const { throttle, pass } = aThrottle();
  const counted = times(2 * 1440, () => {
    const tries = times(10, () => tried(throttle, "ada", "6.6.6.6"));
    throttle.begin("ada", "1.1.1.1").succeeded();
    pass(60);
    return tries.filter((seconds) => seconds === 0).length;
  });
  expect(counted).toEqual([5, ...times(2 * 1440 - 1, () => 1)]);
});

test("however many addresses try, a person's secret is guessed ten times a minute and a hundred times at once", () => {
  const { throttle, pass } = aThrottle();
  const right = throttle.begin("ada", "1.1.1.1");
  right.succeeded();
  const everywhere = () =>
    times(1000, (nth) => tried(throttle, "ada", `10.0.${nth >> 8}.${nth & 255}`));
  expect(everywhere().filter((seconds) => seconds === 0)).toHaveLength(100);
  expect(tried(throttle, "ada", "9.9.9.9")).toBe(6);
  expect(tried(throttle, "grace", "9.9.9.9")).toBe(0);
  pass(60);
  expect(everywhere().filter((seconds) => seconds === 0)).toHaveLength(10);
});

test("without an address the pauses are for all tries, until the secret was right", () => {
  const { throttle, pass } = aThrottle();
  times(5, () => tried(throttle, "totp ada"));
  expect(tried(throttle, "totp ada")).toBe(1);
  pass(1);
  throttle.begin("totp ada").succeeded();
  expect(times(6, () => tried(throttle, "totp ada"))).toEqual([0, 0, 0, 0, 0, 1]);
});
