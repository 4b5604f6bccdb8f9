import { holidaysIn } from "./holidays.ts";
import type { Place } from "./time-zones.ts";

/** The business days of a place: not weekends, nor its public holidays. Days are `YYYY-MM-DD`. */

export function isBusinessDay(day: string, place: Place): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  return !holidaysOf(place, Number(day.slice(0, 4))).has(day);
}

/** The first business day after the given day. */
export function nextBusinessDay(day: string, place: Place): string {
  let next = addDays(day, 1);
  while (!isBusinessDay(next, place)) next = addDays(next, 1);
  return next;
}

export function addDays(day: string, count: number): string {
  const moment = new Date(`${day}T00:00:00Z`).getTime() + count * 86_400_000;
  return new Date(moment).toISOString().slice(0, 10);
}

const known = new Map<string, ReadonlySet<string>>();

function holidaysOf(place: Place, year: number): ReadonlySet<string> {
  const key = `${place.country_code} ${place.province_code} ${year}`;
  let days = known.get(key);
  if (!days) {
    days = new Set(holidaysIn(place, year));
    known.set(key, days);
  }
  return days;
}
