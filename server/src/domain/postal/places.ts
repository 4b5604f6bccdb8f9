import { createRequire } from "node:module";

/**
 * Which ZIP codes and forward sortation areas (the first half of a Canadian postal code) exist, and
 * where. The data is the package `zipcodes`: 5 MB of JavaScript that takes 140 ms to load and 80 MB
 * to hold. So it is read at the first question, packed into arrays of one megabyte, and let go.
 */

export interface Coordinates {
  latitude: number;
  longitude: number;
}

interface Places {
  /** By ZIP code as a number: degrees, NaN where the place has none. */
  latitudes: Float32Array;
  longitudes: Float32Array;
  /** By ZIP code as a number: 0 where there is no such code, else one more than the state's index. */
  states: Uint8Array;
  stateCodes: string[];
  areas: Map<string, Coordinates | null>;
}

/** A row of the package. Nine Canadian ones, with a comma in their names, lost their coordinates. */
interface Entry {
  latitude: number | null;
  longitude: number | null;
  state: string;
}

let loaded: Places | undefined;

/** Reads the tables now rather than during the first request that needs them. */
export function loadPlaces(): void {
  places();
}

/** The state of a five-digit ZIP code, or null when there is no such code. */
export function stateOfZip(zip: string): string | null {
  const { states, stateCodes } = places();
  const index = states[Number(zip)] ?? 0;
  return index === 0 ? null : stateCodes[index - 1]!;
}

/** Whether the three characters are a forward sortation area in use. */
export function areaExists(area: string): boolean {
  return places().areas.has(area);
}

/** Where a ZIP code is; failing that, the middle of the codes that share its first three digits. */
export function zipCoordinates(zip: string): Coordinates | null {
  const first = Number(zip.slice(0, 3)) * 100;
  const neighbours = Array.from({ length: 100 }, (_, offset) => coordinatesAt(first + offset));
  return coordinatesAt(Number(zip)) ?? middle(neighbours);
}

/** Where an area is; failing that, the middle of the areas with the same first two characters, or one. */
export function areaCoordinates(area: string): Coordinates | null {
  const { areas } = places();
  const own = areas.get(area);
  if (own) return own;
  const near = (prefix: string) =>
    [...areas].filter(([name]) => name.startsWith(prefix)).map(([, coordinates]) => coordinates);
  return middle(near(area.slice(0, 2))) ?? middle(near(area.slice(0, 1)));
}

function coordinatesAt(zip: number): Coordinates | null {
  const { latitudes, longitudes } = places();
  const latitude = latitudes[zip];
  const longitude = longitudes[zip];
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude)) return null;
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
}

function middle(points: readonly (Coordinates | null)[]): Coordinates | null {
  const known = points.filter((point) => point !== null);
  if (known.length === 0) return null;
  const mean = (of: (point: Coordinates) => number) =>
    roundDegrees(known.reduce((sum, point) => sum + of(point), 0) / known.length);
  return { latitude: mean((point) => point.latitude), longitude: mean((point) => point.longitude) };
}

/** Four decimals, about ten metres: what the tables carry. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

function places(): Places {
  loaded ??= pack(read("zipcodes/lib/codes.js"), read("zipcodes/lib/codesCanada.js"));
  return loaded;
}

/** Reads one table of the package and takes it out of the module cache again, so that it is freed. */
function read(file: string): Record<string, Entry> {
  const require = createRequire(import.meta.url);
  const { codes } = require(file) as { codes: Record<string, Entry> };
  delete require.cache[require.resolve(file)];
  return codes;
}

function pack(zips: Record<string, Entry>, areas: Record<string, Entry>): Places {
  const packed: Places = {
    latitudes: new Float32Array(100_000).fill(NaN),
    longitudes: new Float32Array(100_000).fill(NaN),
    states: new Uint8Array(100_000),
    stateCodes: [...new Set(Object.values(zips).map((entry) => entry.state))],
    areas: new Map(),
  };
  const stateIndex = new Map(packed.stateCodes.map((state, index) => [state, index + 1]));
  for (const [zip, entry] of Object.entries(zips)) {
    packed.states[Number(zip)] = stateIndex.get(entry.state)!;
    if (!isSomewhere(entry)) continue;
    packed.latitudes[Number(zip)] = entry.latitude;
    packed.longitudes[Number(zip)] = entry.longitude;
  }
  for (const [area, entry] of Object.entries(areas)) {
    const coordinates = isSomewhere(entry)
      ? { latitude: entry.latitude, longitude: entry.longitude }
      : null;
    packed.areas.set(area, coordinates);
  }
  return packed;
}

/** Military mail is filed at 0° 0°, and H0H (letters to Santa Claus) at the North Pole. */
function isSomewhere(entry: Entry): entry is Entry & Coordinates {
  const { latitude, longitude } = entry;
  return latitude !== null && longitude !== null && latitude !== 0 && latitude < 90;
}
