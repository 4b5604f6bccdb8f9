import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

test("a screen of ours is where a sign-in leads to", () => {
  expect(safeNext("/sandbox/shipments?status=draft")).toBe("/sandbox/shipments?status=draft");
  expect(safeNext("/app/live")).toBe("/live");
});

test.each([
  "https://example.com/",
  "//example.com",
  "/\\example.com",
  "/live\\..//example.com",
  "javascript:alert(1)",
  "",
  undefined,
])("%s is not followed", (next) => expect(safeNext(next)).toBe("/"));
