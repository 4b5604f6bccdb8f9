import { Type, type Static, type TOptional, type TSchema, type TUnknown } from "typebox";
import { currencies } from "./currencies.ts";

/** Helpers for writing schemas. One schema validates, serialises and documents. */

/** `T | null`, as one JSON Schema type list, so that a wrong value gets one clear message. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as unknown as { type?: string; enum?: unknown[] };
  const nullable = type
    ? { ...rest, type: [type, "null"], ...(values ? { enum: [...values, null] } : {}) }
    : { anyOf: [schema, { type: "null" }] };
  return Type.Unsafe<Static<T> | null>(nullable);
}

/** Annotations of one use of a schema. */
interface Annotations {
  description?: string;
  /** The value that an absent one stands for: for the document only, nothing fills it in. */
  default?: unknown;
  examples?: unknown[];
}

/** The keys of a schema that only the document reads, beside `$id`, its name there. */
export const documentKeys = { annotations: "x-annotations", documented: "x-documented" } as const;

/** The key of texts that the request log keeps: `known` of them only codes of services and carriers. */
export const logKey = "x-log";

/**
 * A text that the request log may show, because no person can be in it: a code, a currency, a number of ours.
 * `known`: a client writes it, and only codes that exist are shown. Every text without this is hidden.
 */
export function Logged<T extends TSchema>(schema: T, texts: "show" | "known" = "show"): T {
  return { ...schema, [logKey]: texts };
}

/**
 * A schema, named or not, with annotations of this one use: for a named one they stand beside the
 * reference.
 */
export function Annotated<T extends TSchema>(schema: T, annotations: Annotations) {
  return Type.Unsafe<Static<T>>({ ...schema, [documentKeys.annotations]: annotations });
}

/** A schema that validates and serialises as `served`, and for which the document has more detail. */
export function Documented<T extends TSchema>(served: TSchema, documented: T) {
  return Type.Unsafe<Static<T>>({ ...served, [documentKeys.documented]: documented });
}

/**
 * Any object: validated by a verb, or when it was stored, and sent unchanged. The document has its
 * content.
 */
export function Opaque<T extends TSchema>(documented: T) {
  return Documented(Type.Object({}, { additionalProperties: true }), documented);
}

/** An input field that may be left out or sent as null: both mean "not given". */
export function Maybe<T extends TSchema>(schema: T, annotations?: Annotations) {
  return Type.Optional(Nullable(annotations ? Annotated(schema, annotations) : schema));
}

/** One of several objects, each with a name, that are distinguished by the text in one of their fields. */
export function Variants<const V extends Record<string, TSchema>>(
  property: string,
  variants: V,
  options: { $id?: string; description?: string } = {},
) {
  return Type.Unsafe<Static<V[keyof V]>>({
    ...options,
    oneOf: Object.values(variants),
    discriminator: discriminator(property, variants),
  });
}

/** The discriminator for generated clients: by value the name of the schema. */
function discriminator(propertyName: string, variants: Record<string, TSchema>) {
  const mapping = Object.entries(variants).map(([value, schema]) => {
    const { $id } = schema as { $id?: string };
    if ($id === undefined) throw new Error(`the schema of ${propertyName} ${value} has no $id`);
    return [value, `#/components/schemas/${$id}`];
  });
  return { propertyName, mapping: Object.fromEntries(mapping) as Record<string, string> };
}

/** Fields that only Waybill writes: a client may send them back as read, and they change nothing. */
export function ReadOnly<const Names extends readonly string[]>(...names: Names) {
  const fields = names.map((name) => [name, Type.Optional(Type.Unknown())]);
  return Object.fromEntries(fields) as Record<Names[number], TOptional<TUnknown>>;
}

/** One of a fixed list of strings. */
export function OneOf<const V extends readonly string[]>(values: V, options: object = {}) {
  return Type.Unsafe<V[number]>({ type: "string", enum: [...values], ...options });
}

/** Some of a fixed list of strings, in one text with commas between them. */
export function CommaSeparated(values: readonly string[], options: object = {}) {
  const one = `(${values.join("|")})`;
  return Type.String({
    pattern: `^${one}(,${one})*$`,
    description: `One or more, separated by commas: ${values.join(", ")}.`,
    ...options,
  });
}

/** The options of a `CommaSeparated` pattern; null for any other pattern. */
export function listedIn(pattern: string): string[] | null {
  const match = /^\^\(([\w |]+)\)\(,\(\1\)\)\*\$$/.exec(pattern);
  return match && match[1]!.split("|");
}

export const currencyPattern = `^(${currencies.join("|")})$`;
export const countryPattern = "^[A-Za-z]{2}$";

/** An ISO 4217 code. */
export function Currency(options: object = {}) {
  return Logged(Type.String({ pattern: currencyPattern, examples: ["CAD"], ...options }));
}

/** An ISO 3166-1 alpha-2 code as clients send it: either case. */
export function Country(options: object = {}) {
  return Logged(Type.String({ pattern: countryPattern, examples: ["CA"], ...options }));
}

/**
 * A custom keyword for numbers: how many decimals they may have. `multipleOf: 0.01` would mean the same,
 * but validators divide: to most of them 19.99 is no multiple of 0.01. The document states it in text.
 */
export const maxDecimals = "maxDecimals";

/** A money amount as JSON carries it: at most two decimals (decision 1). */
export function Money(options: object = {}) {
  return Type.Number({ [maxDecimals]: 2, ...options });
}

export const timeOfDayPattern = "^([01]\\d|2[0-3]):[0-5]\\d$";

/** A local time, `HH:MM`. */
export function TimeOfDay(options: object = {}) {
  return Logged(Type.String({ pattern: timeOfDayPattern, examples: ["09:00"], ...options }));
}

/** A custom format: a moment, or a whole day of UTC. */
export const dayOrMoment = "day-or-moment";

/** An RFC 3339 moment in UTC with milliseconds. */
export function Moment(options: object = {}) {
  return Type.String({ format: "date-time", examples: ["2026-10-05T14:03:22.120Z"], ...options });
}
