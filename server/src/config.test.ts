import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("a setting is read by its former name, and by its present one where both are set", () => {
  const former = { WAYBILL_IDEMPOTENCY_TWIN_WAIT_MS: "700", WAYBILL_TRACKING_SILENT_DAYS_MAX: "5" };
  expect(readConfig(former)).toMatchObject({
    idempotency_in_flight_wait_ms: 700,
    tracking_quiet_days_max: 5,
  });
  const both = { ...former, WAYBILL_IDEMPOTENCY_IN_FLIGHT_WAIT_MS: "900" };
  expect(readConfig(both).idempotency_in_flight_wait_ms).toBe(900);
});

test("what is wrong with a setting is said under its present name", () => {
  expect(() => readConfig({ WAYBILL_TRACKING_LOOKS_PER_SECOND: "0" })).toThrow(
    "WAYBILL_TRACKING_POLLS_PER_SECOND must be >= 1",
  );
});
