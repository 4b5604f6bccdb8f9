import { describe, expect, test } from "vitest";
import { ApiError, invalid } from "./errors.ts";

/** Problems as clients read them (decision 2). */

describe("a validation error", () => {
  test("has for each field a whole sentence that names it by the last part of its path", () => {
    const { details } = invalid({
      "packages.0.weight": ["must be a number."],
      "tags.3": ["must not be empty."],
      "actions.0.service": ["or strategy is required."],
      "to_address.phone": ["phone is required when the shipment crosses a border."],
      packages: ["A shipment has 1 to 50 packages."],
      carrier: ['"ups2" is no carrier of ours.'],
    }).toBody();
    expect(details).toEqual({
      "packages.0.weight": ["weight must be a number."],
      "tags.3": ["tags.3 must not be empty."],
      "actions.0.service": ["service or strategy is required."],
      "to_address.phone": ["phone is required when the shipment crosses a border."],
      packages: ["A shipment has 1 to 50 packages."],
      carrier: ['"ups2" is no carrier of ours.'],
    });
  });

  test("files problems of the whole under body", () => {
    expect(invalid({ "": ["must be an object."] }).toBody()).toEqual({
      code: "validation_failed",
      message: "body must be an object.",
      details: { body: ["body must be an object."] },
    });
  });

  test("names its first field in the message, and how many others there are", () => {
    const weight = { "packages.0.weight": ["must be a number.", "is odd."] };
    const messageOf = (problems: Record<string, string[]>) => invalid(problems).toBody().message;
    expect(messageOf(weight)).toBe("packages.0.weight must be a number.");
    expect(messageOf({ ...weight, items: ["is required."] })).toBe(
      "packages.0.weight must be a number. 1 more field is not valid.",
    );
    expect(messageOf({ packages: ["A shipment has 1 to 50 packages."], a: ["is b."], c: [] })).toBe(
      "packages: A shipment has 1 to 50 packages. 2 more fields are not valid.",
    );
    expect(messageOf({})).toBe("Some fields are not valid.");
  });

  test("keeps a message of its own", () => {
    const message = "None of the orders is valid.";
    expect(new ApiError("validation_failed", { message }).toBody().message).toBe(message);
  });

  test("takes no longer for a path of a million parts", () => {
    const path = `metadata.${"1.".repeat(500_000)}x`;
    const start = performance.now();
    invalid({ [path]: ["is long."] }).toBody();
    expect(performance.now() - start).toBeLessThan(500);
  });
});
