import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isOnlyActiveAccount, noteRequestOf, timeUsed } from "./active-accounts.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("an account is alone until another one is seen, and again ten seconds after it was", () => {
  noteRequestOf("acc_1");
  vi.advanceTimersByTime(60_000);
  noteRequestOf("acc_1");
  noteRequestOf("acc_1");
  expect([isOnlyActiveAccount("acc_1"), isOnlyActiveAccount("acc_2")]).toEqual([true, false]);
  noteRequestOf("acc_2");
  noteRequestOf("acc_1");
  expect(["acc_1", "acc_2", "acc_3"].map(isOnlyActiveAccount)).toEqual([false, false, false]);
  vi.advanceTimersByTime(9_999);
  noteRequestOf("acc_1");
  expect(isOnlyActiveAccount("acc_1")).toBe(false);
  vi.advanceTimersByTime(2);
  expect([isOnlyActiveAccount("acc_1"), isOnlyActiveAccount("acc_2")]).toEqual([true, false]);
});

test("work beside others uses up four times its length of an account's time", () => {
  vi.advanceTimersByTime(600_000);
  noteRequestOf("acc_1");
  expect(timeUsed("acc_1", 500)).toBe(0);
  noteRequestOf("acc_2");
  expect(timeUsed("acc_1", 500)).toBe(2000);
});
