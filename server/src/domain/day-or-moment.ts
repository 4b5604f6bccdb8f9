import { Type } from "typebox";
import { dayOrMoment } from "./schema.ts";

/** An end of a span of time as a query string gives it: a whole day of UTC, or a moment. */
export function DayOrMoment(options: object = {}) {
  return Type.String({ format: dayOrMoment, examples: ["2026-10-05"], ...options });
}

export function startOf(given: string): Date {
  return new Date(given);
}

/** A day ends with its last millisecond. */
export function endOf(given: string): Date {
  return new Date(given.length === 10 ? `${given}T23:59:59.999Z` : given);
}
