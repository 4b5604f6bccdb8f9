import { expect, test } from "vitest";
import { screenOf, testParties } from "./denied-parties.ts";

const screen = screenOf([
  ...testParties,
  { name: "Óscar Peñaloza Exportaciones S.A.", source: "a list" },
]);

test.each([
  "Denied Party Test Trading Company",
  "DENIED PARTY TEST TRADING CO., LTD.",
  "Test Trading, Denied Party",
  "Denyed Party Test Trading",
  "Blocked Sampl Industries Inc.",
  "oscar penaloza exportaciones",
])("%s is found on the list", (name) => {
  expect(screen(name)?.score).toBeGreaterThanOrEqual(0.85);
});

test.each(["Test Trading Company", "Maple Knits Ltd.", "Sample", "Industries", "", "株式会社"])(
  "%s is not",
  (name) => {
    expect(screen(name)).toBeNull();
  },
);

test("the same name, by whatever legal form, is a match of 1", () => {
  expect(screen("the BLOCKED sample industries GmbH")).toEqual({
    name: "Blocked Sample Industries",
    source: "test list",
    score: 1,
  });
});

test("of many parties the intended one is found", () => {
  const names = Array.from(
    { length: 5000 },
    (_, place) => `${place.toString(36)}tex ${(place * 7919).toString(36)}mill`,
  );
  const many = screenOf(names.map((name) => ({ name, source: "a list" })));
  for (const name of [names[0]!, names[2500]!, names[4999]!])
    expect(many(`${name.toUpperCase()} Ltd`)?.name).toBe(name);
  expect(many("Quiet Harbour Ceramics")).toBeNull();
});
