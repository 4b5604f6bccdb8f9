import { createRequire } from "node:module";

/**
 * Which ZIP codes and forward sortation areas (the first half of a Canadian postal code) exist, and where: the
 * table of `scripts/derive-places.ts`, after the package `zipcodes`. It is read at the first use, in a few milliseconds.
 */

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/**
 * By the beginning of a code (three digits of a ZIP code, two characters of an area), a text of records in
 * the order of the codes' endings.
 */
interface Table {
  zips: Record<string, string>;
  areas: Record<string, string>;
}

let read: Table | undefined;

/** The state of a five-digit ZIP code, or null when there is no such code. */
export function stateOfZip(zip: string): string | null {
  return zipRecord(zip)?.slice(2, 4) ?? null;
}

/** Whether the three characters are a forward sortation area in use. */
export function areaExists(area: string): boolean {
  return areaRecord(area) !== null;
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

function coordinatesAt(code: string): Coordinates | null {
  const record = code.length === 5 ? zipRecord(code) : areaRecord(code);
  const place = record?.slice(-placeWidth) ?? "";
  if (place.trim() === "") return null;
  return {
    latitude: Number(place.slice(0, latitudeWidth)),
    longitude: Number(place.slice(latitudeWidth)),
  };
}

const latitudeWidth = 8;
const placeWidth = latitudeWidth + 9;

/** Two digits, the state and the place. */
function zipRecord(zip: string): string | null {
  const records = table().zips[zip.slice(0, 3)];
  return records === undefined ? null : find(records, zip.slice(3), 4 + placeWidth);
}

/** A letter and the place. */
function areaRecord(area: string): string | null {
  const records = table().areas[area.slice(0, 2)];
  return records === undefined ? null : find(records, area.slice(2), 1 + placeWidth);
}

/** The record of an ending, by bisection. */
function find(records: string, ending: string, width: number): string | null {
  let [from, to] = [0, records.length / width];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * width;
    const each = records.slice(at, at + ending.length);
    if (each === ending) return records.slice(at, at + width);
    if (each < ending) from = middle + 1;
    else to = middle;
  }
  return null;
}

function table(): Table {
  read ??= createRequire(import.meta.url)("../../../data/places.json") as Table;
  return read;
}
