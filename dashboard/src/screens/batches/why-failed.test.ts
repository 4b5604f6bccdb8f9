import { expect, test } from "vitest";
import { whyFailed } from "./why-failed.ts";

test("the carrier's sentence comes before ours, and the sentences of wrong fields do, too", () => {
  const message = "The carrier failed or refused; nothing was charged.";
  const carrier_message = "The recipient's phone number is missing.";
  expect(whyFailed({ code: "carrier_error", message, details: { carrier_message } })).toBe(
    carrier_message,
  );
  expect(whyFailed({ code: "carrier_error", message, details: { carrier_message: "" } })).toBe(
    message,
  );
  const details = {
    "packages.0.weight": ["weight is too low."],
    "to_address.city": ["city is blank."],
  };
  expect(whyFailed({ code: "validation_failed", message, details })).toBe(
    "weight is too low. city is blank.",
  );
});
