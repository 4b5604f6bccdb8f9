import { addDays, isBusinessDay } from "../time/business-days.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import type { Place } from "../time/time-zones.ts";

/** When a carrier picks up parcels (decision 10): days, windows of time, and cutoffs. */

export interface PickupTimes {
  /** A pickup today must be requested before this time, `HH:MM` local time. */
  cutoff: string;
  /** How long the parcels must be ready for the driver. */
  window_minutes_min: number;
  /** Today and so many days more. */
  days_ahead_max: number;
}

export interface PickupWindow {
  date: string;
  ready_time: string;
  close_time: string;
}

/** The local day and time of a place: `localMoment` returns it. */
export interface Moment {
  day: string;
  time: string;
}

/** No carrier plans farther ahead, and no holidays beyond that are needed. */
const calendarDays = 366;

/**
 * Every reason for which one of the carriers would not come then, by the field to change. `now` is
 * the day and time at the place.
 */
export function windowProblems(
  window: PickupWindow,
  carriers: readonly { name: string; times: PickupTimes }[],
  { now, place }: { now: Moment; place: Place },
): Problems {
  const problems: Problems = {};
  const { date, ready_time, close_time } = window;
  if (date < now.day) addProblem(problems, "date", `is over: it is ${now.day} at the address.`);
  else if (date <= addDays(now.day, calendarDays) && !isBusinessDay(date, place))
    addProblem(problems, "date", "is a weekend or a public holiday at the address.");
  if (close_time <= ready_time)
    addProblem(problems, "close_time", "must be later than ready_time.");
  for (const carrier of carriers) {
    addDateProblems(problems, date, { ...carrier, now });
    addTimeProblems(problems, window, { ...carrier, now });
  }
  return problems;
}

interface CarrierTimes {
  name: string;
  times: PickupTimes;
  now: Moment;
}

function addDateProblems(
  problems: Problems,
  date: string,
  { name, times, now }: CarrierTimes,
): void {
  if (date > addDays(now.day, times.days_ahead_max))
    addProblem(
      problems,
      "date",
      `${name} takes pickups ${times.days_ahead_max} days ahead at most.`,
    );
  if (date === now.day && now.time >= times.cutoff)
    addProblem(
      problems,
      "date",
      `${name} takes pickups for the same day until ${times.cutoff}, and it is ${now.time} at the address.`,
    );
}

/** Of today only the rest of the window counts. */
function addTimeProblems(
  problems: Problems,
  { date, ready_time, close_time }: PickupWindow,
  { name, times, now }: CarrierTimes,
): void {
  if (close_time <= ready_time) return;
  const from = date === now.day && now.time > ready_time ? now.time : ready_time;
  if (minutesOf(close_time) - minutesOf(from) >= times.window_minutes_min) return;
  const left = from === ready_time ? "after ready_time" : `from now (${from}) on`;
  addProblem(
    problems,
    "close_time",
    `must be at least ${times.window_minutes_min} minutes ${left} for ${name}.`,
  );
}

/** The earliest close_time of a pickup today that is asked for now; null where the day is too short for one. */
export function closeTimeMin(now: Moment, { window_minutes_min }: PickupTimes): string | null {
  const minutes = minutesOf(now.time) + window_minutes_min;
  if (minutes >= 24 * 60) return null;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** The place of a parcel, so that two can be compared: the parts that a driver needs. */
export function placeKey(address: {
  address1: string;
  address2: string | null;
  city: string;
  province_code: string | null;
  postal_code: string | null;
  country_code: string;
}): string {
  const { address1, address2, city, province_code, postal_code, country_code } = address;
  return [address1, address2, city, province_code, postal_code, country_code]
    .map((text) => (text ?? "").toLowerCase().replace(/\s+/g, " ").trim())
    .join("\n");
}
