import { Type } from "typebox";
import { dayOrMoment, Documented } from "../values/schema.ts";

/** An end of a time range in a query string: a whole day of UTC, or a moment. */
export function DayOrMoment(options: object = {}) {
  const text = Type.String({ format: dayOrMoment, examples: ["2026-10-05"], ...options });
  return Documented(text, standard);
}

const standard = Type.Union([
  Type.String({ format: "date" }),
  Type.String({ format: "date-time" }),
]);

export function startOf(given: string): Date {
  return new Date(given);
}

/** A day ends with its last millisecond. */
export function endOf(given: string): Date {
  return new Date(given.length === 10 ? `${given}T23:59:59.999Z` : given);
}
