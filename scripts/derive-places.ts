import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";

/**
 * Makes `server/data/places.json`, the postal codes that the product ships, from the package `zipcodes`:
 *
 *   node scripts/derive-places.ts server/data/places.json
 *
 * The package takes 90 MiB of memory once it is read. Here the codes with the same beginning are one text of
 * records of equal width, in the order of their endings: what ZIP codes and areas exist, in which state, and where.
 */

interface Row {
  latitude: number | null;
  longitude: number | null;
  state: string;
}

const [target] = process.argv.slice(2);
if (!target) throw new Error("usage: node scripts/derive-places.ts <places.json>");

const { codes } = createRequire(import.meta.url)("zipcodes") as { codes: Record<string, Row> };
const zips: Record<string, string> = {};
const areas: Record<string, string> = {};
for (const code of Object.keys(codes).sort()) {
  const row = codes[code]!;
  if (/^\d{5}$/.test(code)) {
    const start = code.slice(0, 3);
    zips[start] = `${zips[start] ?? ""}${code.slice(3)}${row.state.padEnd(2)}${where(row)}`;
  } else {
    const start = code.slice(0, 2);
    areas[start] = `${areas[start] ?? ""}${code.slice(2)}${where(row)}`;
  }
}
writeFileSync(target, `${JSON.stringify({ zips, areas }, null, 2)}\n`);

/**
 * Blank where it is not known: nine Canadian rows, with a comma in their names, lost their coordinates; some
 * military mail is filed at 0° 0°, and H0H (letters to Santa Claus) at the North Pole.
 */
function where({ latitude, longitude }: Row): string {
  const isKnown = latitude !== null && longitude !== null && latitude !== 0 && latitude < 90;
  return isKnown ? degrees(latitude, 8) + degrees(longitude, 9) : " ".repeat(17);
}

function degrees(value: number, width: number): string {
  const text = String(value);
  if (text.length > width) throw new Error(`${text} is wider than ${width} characters`);
  return text.padStart(width);
}
