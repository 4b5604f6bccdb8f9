import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { nextWaitSeconds, readSchedule } from "./retry-schedule.ts";

const schedule = readSchedule(readConfig({}).webhook_schedule);
const wait = (attempt_count: number, random: number, retry_after_seconds: number | null = null) =>
  nextWaitSeconds(schedule, { attempt_count, random, retry_after_seconds });

test("there are ten attempts, in a little more than three days", () => {
  expect(schedule).toHaveLength(10);
  expect(wait(9, 0.5)).toBe(86_400);
  expect(wait(10, 0.5)).toBeNull();
  expect(schedule.reduce((sum, step) => sum + step, 0) / 3600).toBeCloseTo(75.6, 1);
});

test("each wait is its step, spread by a fifth either way", () => {
  for (let count = 1; count < schedule.length; count++) {
    expect(wait(count, 0)).toBeCloseTo(schedule[count]! * 0.8);
    expect(wait(count, 0.5)).toBeCloseTo(schedule[count]!);
    expect(wait(count, 1)).toBeCloseTo(schedule[count]! * 1.2);
  }
});

test("a Retry-After counts between once and twice the step", () => {
  expect(wait(2, 0, 1)).toBe(300);
  expect(wait(2, 0, 400)).toBe(400);
  expect(wait(2, 0, 86_400)).toBe(600);
});

test.each(["", "a", "0,,5", "-1", "0,5,"])(
  "the setting %j is refused or is the default",
  (text) => {
    const read = () => readConfig({ WAYBILL_WEBHOOK_SCHEDULE: text }).webhook_schedule;
    if (text === "") expect(read()).toContain("86400");
    else expect(read).toThrow("WAYBILL_WEBHOOK_SCHEDULE");
  },
);
