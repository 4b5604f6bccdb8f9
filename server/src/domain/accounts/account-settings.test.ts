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
