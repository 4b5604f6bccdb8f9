import { createRequire } from "node:module";
import { computeHolidays } from "./compute-holidays.ts";
import type { Place } from "./time-zones.ts";

/** The table of `scripts/derive-holidays.ts`, read at the first use. */
interface Table {
  first_year: number;
  /** By country and province, a text for each year: `MMDDMMDD…`. */
  places: Record<string, string[]>;
}

let read: Table | undefined;

/** The public holidays of a place in a year, as `YYYY-MM-DD`. */
export function holidaysIn(place: Place, year: number): string[] {
  read ??= createRequire(import.meta.url)("../../../data/holidays.json") as Table;
  const { country_code, province_code } = place;
  const known = read.places[`${country_code} ${province_code ?? ""}`]?.[year - read.first_year];
  if (known === undefined) return computeHolidays(place, year);
  const days = known.match(/..../g) ?? [];
  return days.map((day) => `${year}-${day.slice(0, 2)}-${day.slice(2)}`);
}
