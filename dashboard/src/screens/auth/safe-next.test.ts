import { expect, test } from "vitest";
import { safeNext, safeOperatorNext } from "./safe-next.ts";

test("a screen of ours is where a sign-in leads to", () => {
  expect(safeNext("/sandbox/shipments?status=draft")).toBe("/sandbox/shipments?status=draft");
  expect(safeNext("/app/live")).toBe("/live");
  expect(safeNext("/device?user_code=BCDF-GHJK")).toBe("/device?user_code=BCDF-GHJK");
});

test("an operator's page is where an operator's sign-in leads to, and nothing else", () => {
  expect(safeOperatorNext("/app/operator/reviews")).toBe("/operator/reviews");
  for (const next of ["/sandbox", "/operators", "/operator/sign-in", "//operator", "/operator/\\x"])
    expect(safeOperatorNext(next)).toBe("/operator");
});

test.each([
  "https://example.com/",
  "//example.com",
  "/\\example.com",
  "/live\\..//example.com",
  "/devices.example.com",
  "javascript:alert(1)",
  "",
  undefined,
])("%s is not followed", (next) => expect(safeNext(next)).toBe("/"));
