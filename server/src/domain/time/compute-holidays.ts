import { createRequire } from "node:module";
import type Holidays from "date-holidays";
import type { Place } from "./time-zones.ts";

/**
 * The public holidays of a place in a year, as `YYYY-MM-DD`, in order, by the package `date-holidays`. The first
 * call loads it, which takes a tenth of a second: `holidays.ts` has the usual ones in a table.
 */
export function computeHolidays(
  { country_code, province_code }: Pick<Place, "country_code" | "province_code">,
  year: number,
): string[] {
  const Calendar = createRequire(import.meta.url)("date-holidays") as typeof Holidays;
  const ofPlace = new Calendar(country_code, province_code ?? "").getHolidays(year);
  const days = ofPlace.filter(({ type }) => type === "public").map(({ date }) => date.slice(0, 10));
  // A day off for the first of January may fall into the year before.
  return [...new Set(days)].filter((day) => day.startsWith(String(year))).sort();
}
