import { writeFileSync } from "node:fs";
import { provinces } from "../server/src/domain/postal/provinces.ts";
import { computeHolidays } from "../server/src/domain/time/compute-holidays.ts";

/**
 * Makes `server/data/holidays.json`, the public holidays of the places that trucks and couriers drive to, from the
 * package `date-holidays`, whose calendars take 30 MiB of memory and block the process for a tenth of a second:
 *
 *   node scripts/derive-holidays.ts server/data/holidays.json
 *
 * For each place a text for each year from the first one on: its days as `MMDD`, one after the other.
 */

const firstYear = 2020;
const lastYear = 2079;

const [target] = process.argv.slice(2);
if (!target) throw new Error("usage: node scripts/derive-holidays.ts <holidays.json>");

const years = Array.from({ length: lastYear - firstYear + 1 }, (_, at) => firstYear + at);
const places: Record<string, string[]> = {};
for (const country_code of ["CA", "US"])
  for (const province_code of ["", ...Object.keys(provinces[country_code]!)])
    places[`${country_code} ${province_code}`] = years.map((year) =>
      computeHolidays({ country_code, province_code }, year)
        .map((day) => day.slice(5).replace("-", ""))
        .join(""),
    );
writeFileSync(target, `${JSON.stringify({ first_year: firstYear, places }, null, 2)}\n`);
