import { expect, test } from "vitest";
import { manifestStatusOf } from "./manifest-states.ts";

test("a manifest is open until the last of its parts has an outcome, and made when one of them is", () => {
  expect(manifestStatusOf(["created", "creating", "failed"])).toBe("creating");
  expect(manifestStatusOf(["failed", "created"])).toBe("created");
  expect(manifestStatusOf(["failed", "failed"])).toBe("failed");
});
