import { normalisePostalCode } from "./postal-codes.ts";
import {
  areaCoordinates,
  areaExists,
  stateOfZip,
  zipCoordinates,
  type Coordinates,
} from "./places.ts";

/** From a postal code to its province or state, and to a place on the map. */

const provincesByLetter: Readonly<Record<string, readonly string[]>> = {
  A: ["NL"],
  B: ["NS"],
  C: ["PE"],
  E: ["NB"],
  G: ["QC"],
  H: ["QC"],
  J: ["QC"],
  K: ["ON"],
  L: ["ON"],
  M: ["ON"],
  N: ["ON"],
  P: ["ON"],
  R: ["MB"],
  S: ["SK"],
  T: ["AB"],
  V: ["BC"],
  X: ["NT", "NU"],
  Y: ["YT"],
};

// Areas that their first letter does not determine: the two territories that share X; the federal
// government's K1A, whose offices are on both banks of the Ottawa river; and Flin Flon, a town on
// the border of Manitoba and Saskatchewan.
const provincesByArea: Readonly<Record<string, readonly string[]>> = {
  X0A: ["NU"],
  X0B: ["NU"],
  X0C: ["NU"],
  X0E: ["NT"],
  X0G: ["NT"],
  X1A: ["NT"],
  K1A: ["ON", "QC"],
  R8A: ["MB", "SK"],
};

// First three digits, inclusive, with those that are not in use today but lie inside a state's block.
const zipPrefixesByState = `
  AA 340-340, AE 090-098, AK 995-999, AL 350-369, AP 962-966, AR 716-729, AS 967-967, AZ 850-865,
  CA 900-961, CO 800-816, CT 060-069, DC 200-205, DC 569-569, DE 197-199, FL 320-339, FL 341-349,
  FM 969-969, GA 300-319, GA 398-399, GU 969-969, HI 967-968, IA 500-528, ID 832-838, IL 600-629,
  IN 460-479, KS 660-679, KY 400-427, LA 700-714, MA 010-027, MA 055-055, MD 205-219, ME 039-049,
  MH 969-969, MI 480-499, MN 550-567, MO 630-658, MP 969-969, MS 386-397, MT 590-599, NC 270-289,
  ND 580-588, NE 680-693, NH 030-038, NJ 070-089, NM 870-884, NV 889-898, NY 005-005, NY 063-063,
  NY 100-149, OH 430-459, OK 730-732, OK 734-749, OR 970-979, PA 150-196, PR 006-007, PR 009-009,
  PW 969-969, RI 028-029, SC 290-299, SD 570-577, TN 370-385, TX 733-733, TX 739-739, TX 750-799,
  TX 885-885, UT 840-847, VA 201-201, VA 205-205, VA 220-246, VI 008-008, VT 050-054, VT 056-059,
  WA 980-994, WI 530-549, WV 247-268, WY 820-831, WY 834-834`;

const statesByZipPrefix = new Map<number, string[]>();
for (const block of zipPrefixesByState.split(",")) {
  const [state, range] = block.trim().split(" ") as [string, string];
  const [first, last] = range.split("-").map(Number) as [number, number];
  for (let prefix = first; prefix <= last; prefix += 1) {
    statesByZipPrefix.set(prefix, [...(statesByZipPrefix.get(prefix) ?? []), state]);
  }
}

// ZIP codes whose carrier routes cross a state line; the first state is the post office's.
const statesByZip: Readonly<Record<string, readonly string[]>> = {
  "02861": ["RI", "MA"],
  "42223": ["KY", "TN"],
  "59221": ["MT", "ND"],
  "63673": ["MO", "IL"],
  "71749": ["AR", "LA"],
  "73949": ["OK", "TX"],
  "81137": ["CO", "NM"],
  "84536": ["UT", "AZ"],
  "86044": ["AZ", "UT"],
  "86515": ["AZ", "NM"],
  "88063": ["NM", "TX"],
  "89439": ["NV", "CA"],
  "97635": ["OR", "CA"],
};

// Territories with a country code of their own that the United States Postal Service serves.
const zipCountries = new Set(["US", "AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"]);

/**
 * Every province or state that a postal code of CA or US can belong to, the usual one first; a ZIP
 * code that is not in the tables is placed by its first three digits. Empty when it belongs to
 * none; null when undecidable: another country, or not the form of a code.
 */
export function provincesOf(country: string, postalCode: string): readonly string[] | null {
  const code = normalisePostalCode(country, postalCode);
  if (code === null) return null;
  if (country === "CA") {
    return provincesByArea[code.slice(0, 3)] ?? provincesByLetter[code.charAt(0)] ?? [];
  }
  if (country !== "US") return null;
  const zip = code.slice(0, 5);
  const state = stateOfZip(zip);
  return (
    statesByZip[zip] ?? (state ? [state] : (statesByZipPrefix.get(Number(zip.slice(0, 3))) ?? []))
  );
}

/** The province or state that a postal code is usually in; null as `provincesOf`, or in none. */
export function provinceOf(country: string, postalCode: string): string | null {
  return provincesOf(country, postalCode)?.[0] ?? null;
}

/** Whether the code is in the tables of codes in use; null for countries without a table. */
export function postalCodeExists(country: string, postalCode: string): boolean | null {
  if (country !== "CA" && !zipCountries.has(country)) return null;
  const code = normalisePostalCode(country, postalCode);
  if (code === null) return false;
  return country === "CA" ? areaExists(code.slice(0, 3)) : stateOfZip(code.slice(0, 5)) !== null;
}

/**
 * The coordinates of a postal code, in degrees; approximate for one that is not in the tables, null
 * abroad.
 */
export function coordinatesOf(country: string, postalCode: string): Coordinates | null {
  const code = normalisePostalCode(country, postalCode);
  if (code === null) return null;
  if (country === "CA") return areaCoordinates(code.slice(0, 3));
  return zipCountries.has(country) ? zipCoordinates(code.slice(0, 5)) : null;
}
