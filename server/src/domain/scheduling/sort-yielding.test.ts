import fc from "fast-check";
import { expect, test } from "vitest";
import { sortYielding } from "./sort-yielding.ts";

test("entries are sorted as by toSorted, whatever their number, and equal ones keep their order", async () => {
  const compare = (a: [number, number], b: [number, number]) => a[0] - b[0];
  const keys = fc.array(fc.nat(50), { maxLength: 5000, size: "max" });
  await fc.assert(
    fc.asyncProperty(keys, async (given) => {
      const entries = given.map((key, place): [number, number] => [key, place]);
      expect(await sortYielding(entries, compare)).toEqual(entries.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});
