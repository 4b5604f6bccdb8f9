import { wallClock } from "./wall-clock.ts";

/** Calendar months, `YYYY-MM`, in the local time of a zone. */

/** The local month at a moment. */
export function monthAt(moment: Date, timeZone: string): string {
  return wallClock(moment, timeZone).slice(0, 7);
}

/** The local day, `YYYY-MM-DD`, at a moment. */
export function dayAt(moment: Date, timeZone: string): string {
  return wallClock(moment, timeZone).slice(0, 10);
}

/** The next month, also over the end of a year. */
export function monthAfter(month: string): string {
  const { year, place } = partsOf(month);
  return new Date(Date.UTC(year, place + 1, 1)).toISOString().slice(0, 7);
}

/** `YYYY-MM-DD`. */
export function firstDayOf(month: string): string {
  return `${month}-01`;
}

/** `YYYY-MM-DD`: the 28th to the 31st. */
export function lastDayOf(month: string): string {
  const { year, place } = partsOf(month);
  return new Date(Date.UTC(year, place + 1, 0)).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/**
 * The moment at which a month begins in the zone: midnight of its first day. Where clocks are put
 * back over midnight it is the first one; where they skip it, the end of the gap.
 */
export function startOf(month: string, timeZone: string): Date {
  const { year, place } = partsOf(month);
  const midnight = Date.UTC(year, place, 1);
  const byClocksOf = (beside: number) =>
    new Date(midnight - offsetAt(new Date(midnight + beside), timeZone));
  const [before, after] = [byClocksOf(-dayMs), byClocksOf(dayMs)];
  const isMidnight = (moment: Date) => wallClock(moment, timeZone) === `${month}-01T00:00:00`;
  return !isMidnight(before) && isMidnight(after) ? after : before;
}

function partsOf(month: string): { year: number; place: number } {
  return { year: Number(month.slice(0, 4)), place: Number(month.slice(5, 7)) - 1 };
}

/** The zone's offset from UTC, in milliseconds. */
function offsetAt(moment: Date, timeZone: string): number {
  const seconds = Math.floor(moment.getTime() / 1000);
  return Date.parse(`${wallClock(moment, timeZone)}Z`) - seconds * 1000;
}
