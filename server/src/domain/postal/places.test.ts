import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { areaCoordinates, areaExists, stateOfZip, zipCoordinates } from "./places.ts";

interface Row {
  latitude: number | null;
  longitude: number | null;
  state: string;
}

const { codes } = createRequire(import.meta.url)("zipcodes") as { codes: Record<string, Row> };

function placeOf({ latitude, longitude }: Row) {
  const isKnown = latitude !== null && longitude !== null && latitude !== 0 && latitude < 90;
  return isKnown ? { latitude, longitude } : null;
}

test("every possible ZIP code has the state and place that the package has", () => {
  for (let number = 0; number < 100_000; number++) {
    const zip = String(number).padStart(5, "0");
    const row = codes[zip];
    if (stateOfZip(zip) !== (row?.state ?? null)) expect.fail(zip);
    const place = row && placeOf(row);
    if (place) expect(zipCoordinates(zip)).toEqual(place);
  }
});

test("every possible area exists, and is where the package says", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const first of letters)
    for (const digit of "0123456789")
      for (const last of letters) {
        const area = first + digit + last;
        const row = codes[area];
        if (areaExists(area) !== (row !== undefined)) expect.fail(area);
        const place = row && placeOf(row);
        if (place) expect(areaCoordinates(area)).toEqual(place);
      }
});

test("a code without a place is in the middle of those that begin like it", () => {
  const neighbours = Object.keys(codes).filter((code) => /^902\d\d$/.test(code));
  expect(neighbours).not.toContain("90200");
  const mean = (of: "latitude" | "longitude") =>
    neighbours.reduce((sum, code) => sum + codes[code]![of]!, 0) / neighbours.length;
  const { latitude, longitude } = zipCoordinates("90200")!;
  expect(latitude).toBeCloseTo(mean("latitude"), 4);
  expect(longitude).toBeCloseTo(mean("longitude"), 4);
});
