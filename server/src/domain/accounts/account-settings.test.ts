import { expect, test } from "vitest";
import { AccountSettings, defaultSettings, readSettings } from "./account-settings.ts";
import { problemsOf } from "../validation/validation.ts";

test("the defaults are valid settings", () => {
  expect(problemsOf(AccountSettings, defaultSettings)).toEqual({});
});

test("an account that changed nothing has the defaults, whatever null its row holds", () => {
  expect(readSettings({})).toEqual(defaultSettings);
  expect(readSettings(null)).toEqual(defaultSettings);
});

test("a stored change wins over the default and leaves the others alone", () => {
  const settings = readSettings({ show_tier_rates_api: true, tier: "retail" });
  expect(settings).toEqual({ ...defaultSettings, show_tier_rates_api: true, tier: "retail" });
});

test("a stored name that no release knows any more is omitted", () => {
  expect(readSettings({ gone: 1, toString: "x" })).toEqual(defaultSettings);
});

test.each([
  ["low_balance_threshold", 0, true],
  ["low_balance_threshold", 49.99, true],
  ["low_balance_threshold", null, true],
  ["low_balance_threshold", -1, false],
  ["low_balance_threshold", 1.005, false],
  ["low_balance_threshold", "50", false],
  ["request_log_bodies", "off", true],
  ["request_log_bodies", false, false],
])("%s of %j is accepted: %s", (name, value, isAccepted) => {
  const problems = problemsOf(AccountSettings, { ...defaultSettings, [name]: value });
  expect(Object.keys(problems)).toEqual(isAccepted ? [] : [name]);
});
