import { describe, expect, test } from "vitest";
import { areaExists, stateOfZip } from "./places.ts";
import { isProvinceCode, provinceCodeFor, provinces } from "./provinces.ts";
import { coordinatesOf, postalCodeExists, provinceOf, provincesOf } from "./regions.ts";

const letters = [..."ABCEGHJKLMNPRSTVWXYZ"];
const digits = [..."0123456789"];
const areas = letters
  .flatMap((first) => digits.flatMap((digit) => letters.map((last) => first + digit + last)))
  .filter(areaExists);
const zips = Array.from({ length: 100_000 }, (_, number) => String(number).padStart(5, "0"));
const knownZips = zips.filter((zip) => stateOfZip(zip) !== null);

describe("Canada", () => {
  test("every area in use belongs to a province by its first letter", () => {
    expect(areas.length).toBeGreaterThan(1600);
    const byLetter: Record<string, string> = { A: "NL", B: "NS", C: "PE", E: "NB", G: "QC" };
    Object.assign(byLetter, { H: "QC", J: "QC", K: "ON", L: "ON", M: "ON", N: "ON", P: "ON" });
    Object.assign(byLetter, { R: "MB", S: "SK", T: "AB", V: "BC", Y: "YT" });
    for (const area of areas) {
      const found = provincesOf("CA", `${area} 1A1`);
      if (area.startsWith("X")) expect(["NT", "NU"], area).toContain(found?.[0]);
      else expect(found?.[0], area).toBe(byLetter[area.charAt(0)]);
      expect(found?.every((code) => isProvinceCode("CA", code))).toBe(true);
    }
  });

  test.each([
    ["X0A 0H0", ["NU"]],
    ["X1A 1A1", ["NT"]],
    ["X2X 1A1", ["NT", "NU"]],
    ["K1A 0B1", ["ON", "QC"]],
    ["K1B 1A1", ["ON"]],
    ["R8A 1A1", ["MB", "SK"]],
  ])("%s is in %j", (code, expected) => {
    expect(provincesOf("CA", code)).toEqual(expected);
  });

  test("an unused area is distinguished from one in use", () => {
    expect(postalCodeExists("CA", "M5V 2T6")).toBe(true);
    expect(postalCodeExists("CA", "K9Z 1A1")).toBe(false);
  });
});

describe("the United States", () => {
  test("every ZIP code in use is in a known state", () => {
    expect(knownZips.length).toBeGreaterThan(42_000);
    for (const zip of knownZips) {
      const found = provincesOf("US", zip)!;
      expect(found[0], zip).toBe(stateOfZip(zip));
      if (!found.every((state) => isProvinceCode("US", state))) expect.fail(zip);
    }
  });

  test("the prefix of every ZIP code in use leads to its state as well", () => {
    const unusedByPrefix = new Map(
      zips.filter((zip) => stateOfZip(zip) === null).map((zip) => [zip.slice(0, 3), zip]),
    );
    const strays = knownZips.filter((zip) => {
      const unused = unusedByPrefix.get(zip.slice(0, 3));
      return unused && !provincesOf("US", unused)!.includes(stateOfZip(zip)!);
    });
    expect(unusedByPrefix.size).toBe(1000);
    expect(strays).toEqual([]);
  });

  test.each([
    ["90210", ["CA"]],
    ["20500-0003", ["DC"]],
    ["06390", ["NY"]],
    ["42223", ["KY", "TN"]],
    ["00901", ["PR"]],
    ["96799", ["AS"]],
    ["34001", ["AA"]],
    ["09007", ["AE"]],
    ["96201", ["AP"]],
    ["99999", ["AK"]],
    ["00001", []],
  ])("%s is in %j", (code, expected) => {
    expect(provincesOf("US", code)).toEqual(expected);
  });

  test("a territory that is written as a country has its ZIP codes checked too", () => {
    expect(postalCodeExists("PR", "00901")).toBe(true);
    expect(postalCodeExists("PR", "00999")).toBe(false);
  });
});

describe("abroad and nowhere", () => {
  test("nothing is claimed about other countries or about invalid codes", () => {
    expect(provincesOf("DE", "10115")).toBeNull();
    expect(provinceOf("CA", "nonsense")).toBeNull();
    expect(provinceOf("US", "00001")).toBeNull();
    expect(postalCodeExists("DE", "10115")).toBeNull();
    expect(coordinatesOf("DE", "10115")).toBeNull();
  });
});

describe("coordinatesOf", () => {
  test.each([
    ["CA", "M5V 2T6", 43.65, -79.37],
    ["US", "90210", 34.09, -118.41],
    ["PR", "00901", 18.4, -66.1],
  ])("%s %s is at %d, %d", (country, code, latitude, longitude) => {
    const found = coordinatesOf(country, code)!;
    expect(found.latitude).toBeCloseTo(latitude, 1);
    expect(found.longitude).toBeCloseTo(longitude, 1);
  });

  test("every Canadian area is in Canada, even the one at the North Pole", () => {
    for (const area of [...areas, "K9Z"]) {
      const { latitude, longitude } = coordinatesOf("CA", `${area} 0H0`)!;
      expect(latitude > 41 && latitude < 84 && longitude > -142 && longitude < -52, area).toBe(
        true,
      );
    }
  });

  test("a ZIP code that is not in the tables is near its neighbours", () => {
    expect(postalCodeExists("US", "90200")).toBe(false);
    expect(coordinatesOf("US", "90200")!.latitude).toBeCloseTo(33.9, 0);
  });

  test("the tables answer quickly once they are read", () => {
    const start = performance.now();
    for (const zip of knownZips.slice(0, 10_000)) postalCodeExists("US", zip);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe("province names", () => {
  test.each([
    ["CA", "Ontario", "ON"],
    ["CA", "québec", "QC"],
    ["CA", "PQ", "QC"],
    ["CA", "Île-du-Prince-Édouard", "PE"],
    ["US", "new york", "NY"],
    ["US", "Washington D.C.", "DC"],
    ["CA", "Texas", null],
    ["FR", "Bretagne", null],
    ["US", "constructor", null],
  ])("in %s %j stands for %j", (country, name, code) => {
    expect(provinceCodeFor(country, name)).toBe(code);
  });

  test("every name leads back to its code", () => {
    for (const [country, codes] of Object.entries(provinces)) {
      for (const [code, name] of Object.entries(codes)) {
        expect(provinceCodeFor(country, name)).toBe(code);
      }
    }
  });
});
