import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAlone, sawAccount, timeUsed } from "./neighbours.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("an account is alone until another one is seen, and again ten seconds after it was", () => {
  sawAccount("acc_1");
  vi.advanceTimersByTime(60_000);
  sawAccount("acc_1");
  sawAccount("acc_1");
  expect([isAlone("acc_1"), isAlone("acc_2")]).toEqual([true, false]);
  sawAccount("acc_2");
  sawAccount("acc_1");
  expect(["acc_1", "acc_2", "acc_3"].map(isAlone)).toEqual([false, false, false]);
  vi.advanceTimersByTime(9_999);
  sawAccount("acc_1");
  expect(isAlone("acc_1")).toBe(false);
  vi.advanceTimersByTime(2);
  expect([isAlone("acc_1"), isAlone("acc_2")]).toEqual([true, false]);
});

test("work beside others uses up four times its length of an account's time", () => {
  vi.advanceTimersByTime(600_000);
  sawAccount("acc_1");
  expect(timeUsed("acc_1", 500)).toBe(0);
  sawAccount("acc_2");
  expect(timeUsed("acc_1", 500)).toBe(2000);
});
