import type { City } from "./cities.ts";

/** Local time: carriers report what the clock at the place showed. */

const zones: Readonly<Record<string, string>> = zonesFrom(`
  America/St_Johns NL | America/Halifax NS NB PE | America/Toronto ON QC NU | America/Winnipeg MB
  America/Regina SK | America/Edmonton AB NT | America/Vancouver BC | America/Whitehorse YT
  America/New_York CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV
  America/Chicago AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI | America/Denver CO ID MT NM UT WY
  America/Phoenix AZ | America/Los_Angeles CA NV OR WA | America/Anchorage AK | Pacific/Honolulu HI
  America/Puerto_Rico PR VI`);

function zonesFrom(list: string): Record<string, string> {
  const entries = list.split(/[|\n]/).map((entry) => entry.trim().split(" "));
  return Object.fromEntries(
    entries.flatMap(([zone, ...provinces]) => provinces.map((province) => [province, zone!])),
  );
}

interface LocalTime {
  /** `2026-11-21T10:51:00`. */
  local_time: string;
  /** `-05:00`. */
  utc_offset: string;
}

/** The time of day in a city, to the second; a place in no table has universal time. */
export function localTime(moment: Date, { country_code, province_code }: City): LocalTime {
  const isOurs = country_code === "CA" || country_code === "US";
  const zone = (isOurs && province_code && zones[province_code]) || "UTC";
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const local_time = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const seconds = Math.floor(moment.getTime() / 1_000);
  const minutesAhead = Math.round((Date.parse(`${local_time}Z`) / 1_000 - seconds) / 60);
  return { local_time, utc_offset: offset(minutesAhead) };
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  clocks.set(timeZone, made);
  return made;
}

function offset(minutesAhead: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.abs(minutesAhead);
  return `${minutesAhead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
