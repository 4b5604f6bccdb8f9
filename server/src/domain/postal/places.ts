import { createRequire } from "node:module";

/**
 * Which ZIP codes and forward sortation areas (the first half of a Canadian postal code) exist, and
 * where, after the package `zipcodes`. It takes 150 ms to read, so it is read at the first use.
 */

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** A row of the package. Nine Canadian ones, with a comma in their names, lost their coordinates. */
interface Place {
  latitude: number | null;
  longitude: number | null;
  /** The code of an American state. The Canadian names are unreliable: `regions.ts` has them. */
  state: string;
}

let table: Map<string, Place> | undefined;

/** Reads the tables now rather than during the first request that needs them. */
export function loadPlaces(): void {
  places();
}

/** The state of a five-digit ZIP code, or null when there is no such code. */
export function stateOfZip(zip: string): string | null {
  return places().get(zip)?.state ?? null;
}

/** Whether the three characters are a forward sortation area in use. */
export function areaExists(area: string): boolean {
  return places().has(area);
}

/** The coordinates of a ZIP code; failing that, the middle of the codes that share its first three digits. */
export function zipCoordinates(zip: string): Coordinates | null {
  return coordinatesAt(zip) ?? middle(followers(zip.slice(0, 3), [digits, digits]));
}

/**
 * The coordinates of an area; failing that, the middle of the areas with the same first two characters,
 * or one.
 */
export function areaCoordinates(area: string): Coordinates | null {
  return (
    coordinatesAt(area) ??
    middle(followers(area.slice(0, 2), [letters])) ??
    middle(followers(area.slice(0, 1), [digits, letters]))
  );
}

const digits = [..."0123456789"];
const letters = [..."ABCEGHJKLMNPRSTVWXYZ"];

/** Every code that begins with the prefix. */
function followers(prefix: string, alphabets: readonly string[][]): string[] {
  return alphabets.reduce(
    (codes, alphabet) => codes.flatMap((code) => alphabet.map((character) => code + character)),
    [prefix],
  );
}

function middle(codes: readonly string[]): Coordinates | null {
  const known = codes.map(coordinatesAt).filter((coordinates) => coordinates !== null);
  if (known.length === 0) return null;
  const mean = (degrees: number[]) =>
    Math.round((degrees.reduce((sum, each) => sum + each, 0) / degrees.length) * 10_000) / 10_000;
  return {
    latitude: mean(known.map(({ latitude }) => latitude)),
    longitude: mean(known.map(({ longitude }) => longitude)),
  };
}

/** Some military mail is filed at 0° 0°, and H0H (letters to Santa Claus) at the North Pole. */
function coordinatesAt(code: string): Coordinates | null {
  const { latitude = null, longitude = null } = places().get(code) ?? {};
  if (latitude === null || longitude === null || latitude === 0 || latitude >= 90) return null;
  return { latitude, longitude };
}

function places(): Map<string, Place> {
  if (!table) {
    const require = createRequire(import.meta.url);
    const { codes } = require("zipcodes") as { codes: Record<string, Place> };
    table = new Map(Object.entries(codes));
  }
  return table;
}
