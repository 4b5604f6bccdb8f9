import { Type, type Static, type TSchema } from "typebox";

/** Small words that our schemas are written in. One schema validates, serialises and documents. */

/** `T | null`, as one JSON Schema type list, so that a wrong value gets one clear sentence. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as unknown as { type?: string; enum?: unknown[] };
  const nullable = type
    ? { ...rest, type: [type, "null"], ...(values ? { enum: [...values, null] } : {}) }
    : { anyOf: [schema, { type: "null" }] };
  return Type.Unsafe<Static<T> | null>(nullable);
}

/** An input field that may be left out or sent as null: both mean "not given". */
export function Maybe<T extends TSchema>(schema: T) {
  return Type.Optional(Nullable(schema));
}

/** One of a fixed list of strings. */
export function OneOf<const V extends readonly string[]>(values: V, options: object = {}) {
  return Type.Unsafe<V[number]>({ type: "string", enum: [...values], ...options });
}

/** Some of a fixed list of strings, in one text with commas between them. */
export function CommaSeparated(values: readonly string[], options: object = {}) {
  const one = `(${values.join("|")})`;
  return Type.String({ pattern: `^${one}(,${one})*$`, ...options });
}

export const currencyPattern = "^[A-Z]{3}$";
export const countryPattern = "^[A-Za-z]{2}$";

/** An ISO 4217 code. */
export function Currency(options: object = {}) {
  return Type.String({ pattern: currencyPattern, examples: ["CAD"], ...options });
}

/** An ISO 3166-1 alpha-2 code as clients send it: either case. */
export function Country(options: object = {}) {
  return Type.String({ pattern: countryPattern, examples: ["CA"], ...options });
}

/** A money amount as JSON carries it: at most two decimals (decision 1). */
export function Money(options: object = {}) {
  return Type.Number({ multipleOf: 0.01, ...options });
}

export const timeOfDayPattern = "^([01]\\d|2[0-3]):[0-5]\\d$";

/** A local time, `HH:MM`. */
export function TimeOfDay(options: object = {}) {
  return Type.String({ pattern: timeOfDayPattern, examples: ["09:00"], ...options });
}

/** A format of our own: a moment, or a whole day of UTC. */
export const dayOrMoment = "day-or-moment";

/** An RFC 3339 moment in UTC with milliseconds. */
export function Moment(options: object = {}) {
  return Type.String({ format: "date-time", examples: ["2026-10-05T14:03:22.120Z"], ...options });
}
