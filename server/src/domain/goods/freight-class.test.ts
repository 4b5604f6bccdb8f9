import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classOfDensity, densityScale } from "./freight-class.ts";
import { freightClasses } from "./freight.ts";
import { density } from "./units.ts";

/** A pallet of 40 cubic feet. */
const pallet = { length: 48, width: 40, height: 36, size_unit: "in", weight_unit: "lbs" } as const;

describe("the density scale of 2025", () => {
  test("has thirteen bands, each denser band in a cheaper class", () => {
    expect(densityScale).toHaveLength(13);
    const classes = densityScale.map(([, freightClass]) => Number(freightClass));
    expect(classes).toEqual([...classes].sort((a, b) => a - b));
    for (const [, freightClass] of densityScale) expect(freightClasses).toContain(freightClass);
  });

  test.each(densityScale.filter(([least]) => least > 0))(
    "%d lb/ft³ is the first of class %s, and a little less is not",
    (least, freightClass) => {
      const weight = least * 40;
      expect(classOfDensity(density({ ...pallet, weight }))).toBe(freightClass);
      expect(classOfDensity(density({ ...pallet, weight: weight - 0.01 }))).not.toBe(freightClass);
    },
  );

  test("the lightest freight has a class, too", () => {
    expect(classOfDensity(density({ ...pallet, weight: 1 }))).toBe("400");
  });

  test("is the same whatever units the freight is measured in", () => {
    const side = fc.integer({ min: 10, max: 100 });
    fc.assert(
      fc.property(side, side, side, fc.integer({ min: 1, max: 3000 }), (a, b, c, weight) => {
        const imperial = { ...pallet, length: a, width: b, height: c, weight };
        const [length, width, height] = [a, b, c].map((inches) => inches * 2.54) as [
          number,
          number,
          number,
        ];
        const metric = {
          length,
          width,
          height,
          size_unit: "cm" as const,
          weight: weight * 0.45359237,
          weight_unit: "kg" as const,
        };
        expect(density(metric)).toBeCloseTo(density(imperial), 8);
      }),
    );
  });
});
