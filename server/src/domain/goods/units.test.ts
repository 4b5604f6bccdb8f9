import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sizeUnits, weightUnits } from "./parcel.ts";
import {
  addWeight,
  billableWeight,
  fromCentimetres,
  fromGrams,
  lengthPlusGirthCm,
  longestSideCm,
  toCentimetres,
  toGrams,
  type Measured,
} from "./units.ts";

const aSide = fc.integer({ min: 1, max: 30_000 }).map((tenths) => tenths / 10);
const aParcel: fc.Arbitrary<Measured> = fc.record({
  weight: fc.integer({ min: 1, max: 10_000_000 }).map((hundredths) => hundredths / 100),
  weight_unit: fc.constantFrom(...weightUnits),
  length: aSide,
  width: aSide,
  height: aSide,
  size_unit: fc.constantFrom(...sizeUnits),
});

function parcel(given: Partial<Measured> = {}): Measured {
  const flat = { length: null, width: null, height: null, size_unit: null };
  return { weight: 1, weight_unit: "kg", ...flat, ...given };
}
const box = (length: number, width: number, height: number, size_unit: "cm" | "in" = "cm") => ({
  length,
  width,
  height,
  size_unit,
});

describe("weight", () => {
  test.each([
    [1, "lbs", 454],
    [70, "lbs", 31_751],
    [150, "lbs", 68_039],
    [1, "oz", 28],
    [16, "oz", 454],
    [1.2345, "kg", 1235],
    [0.001, "g", 1],
    [2.5, "g", 3],
  ] as const)("%d %s is %d whole grams", (weight, unit, grams) => {
    expect(toGrams(weight, unit)).toBe(grams);
  });

  test("whole grams are never zero and never fall when the weight rises", () => {
    const weights = fc.tuple(aParcel, fc.integer({ min: 0, max: 100_000 }));
    fc.assert(
      fc.property(weights, ([{ weight, weight_unit }, more]) => {
        const grams = toGrams(weight, weight_unit);
        expect(Number.isInteger(grams) && grams >= 1).toBe(true);
        expect(toGrams(weight + more, weight_unit)).toBeGreaterThanOrEqual(grams);
      }),
    );
  });

  test("a limit in grams is shown in the client's unit", () => {
    expect(fromGrams(31_751, "lbs")).toBe(70);
    expect(fromGrams(30_000, "kg")).toBe(30);
  });
});

describe("size", () => {
  test("inches become centimetres exactly, and back", () => {
    expect(toCentimetres(108, "in")).toBe(274.32);
    expect(toCentimetres(0.1, "in")).toBe(0.25);
    expect(toCentimetres(0.001, "in")).toBe(0.01);
    expect(fromCentimetres(274.32, "in")).toBe(108);
  });

  test("the longest side is the length, whatever its field", () => {
    expect(longestSideCm(parcel(box(10, 60, 20)))).toBe(60);
    expect(lengthPlusGirthCm(parcel(box(10, 60, 20)))).toBe(120);
    expect(lengthPlusGirthCm(parcel(box(36, 12, 12, "in")))).toBe(213.36);
  });

  test("a package without dimensions has no length and no girth", () => {
    expect(longestSideCm(parcel())).toBeNull();
    expect(lengthPlusGirthCm(parcel())).toBeNull();
  });

  test("turning a package over changes none of its measures", () => {
    fc.assert(
      fc.property(aParcel, (one) => {
        const turned = { ...one, length: one.height, width: one.length, height: one.width };
        expect(longestSideCm(turned)).toBe(longestSideCm(one));
        expect(lengthPlusGirthCm(turned)).toBe(lengthPlusGirthCm(one));
        expect(billableWeight([turned]).value).toBeCloseTo(billableWeight([one]).value, 1);
      }),
    );
  });
});

describe("billable weight", () => {
  test("a light big box is charged by 5000 cm³ to the kilogram", () => {
    const big = parcel({ weight: 2, ...box(50, 40, 30) });
    expect(billableWeight([big])).toEqual({ value: 12, unit: "kg", basis: "volumetric" });
  });

  test("a light big box in inches is charged by 139 in³ to the pound", () => {
    const big = parcel({ weight: 5, weight_unit: "lbs", ...box(20, 15, 12, "in") });
    expect(billableWeight([big])).toEqual({ value: 25.9, unit: "lbs", basis: "volumetric" });
  });

  test("a heavy small box is charged by its weight", () => {
    const small = parcel({ weight: 2.2, weight_unit: "lbs", ...box(10, 10, 10) });
    expect(billableWeight([small])).toEqual({ value: 2.2, unit: "lbs", basis: "actual" });
  });

  test("ounces are charged in pounds, and a metric package among them makes it kilograms", () => {
    const light = parcel({ weight: 8, weight_unit: "oz" });
    expect(billableWeight([light])).toMatchObject({ value: 0.5, unit: "lbs" });
    expect(billableWeight([light, parcel()])).toMatchObject({ value: 1.23, unit: "kg" });
  });

  test("each package counts for itself: a heavy one does not outweigh a big one", () => {
    const heavy = parcel({ weight: 20, ...box(10, 10, 10) });
    const big = parcel({ weight: 1, ...box(50, 40, 30) });
    expect(billableWeight([heavy, big])).toEqual({ value: 32, unit: "kg", basis: "volumetric" });
  });

  test("it is never under the actual weight, and only over it on a volumetric basis", () => {
    fc.assert(
      fc.property(fc.array(aParcel, { minLength: 1, maxLength: 5 }), (packages) => {
        const { value, unit, basis } = billableWeight(packages);
        const grams = packages.map(({ weight, weight_unit }) => ({ weight, weight_unit }));
        const actual = billableWeight(grams.map((weighed) => parcel(weighed)));
        expect(actual).toMatchObject({ unit, basis: "actual" });
        expect(value).toBeGreaterThanOrEqual(actual.value);
        if (basis === "actual") expect(value).toBe(actual.value);
      }),
    );
  });
});

describe("adding a weight", () => {
  test.each([
    [{ weight: 1.4, weight_unit: "kg" }, { weight: 100, weight_unit: "g" }, 1.5],
    [{ weight: 1, weight_unit: "lbs" }, { weight: 8, weight_unit: "oz" }, 1.5],
    [{ weight: 2, weight_unit: "lbs" }, { weight: 1, weight_unit: "kg" }, 4.205],
    [{ weight: 0.1, weight_unit: "kg" }, { weight: 0.2, weight_unit: "kg" }, 0.3],
  ] as const)("%j and %j are %d in the unit of the first", (to, added, sum) => {
    expect(addWeight(to, added)).toBe(sum);
  });
});
