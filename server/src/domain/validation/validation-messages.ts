import type { ErrorObject } from "ajv";
import { nmfcPattern } from "../goods/freight.ts";
import { countryCodeFor } from "../postal/countries.ts";
import {
  countryPattern,
  currencyPattern,
  dayOrMoment,
  listedIn,
  maxDecimals,
  timeOfDayPattern,
} from "../values/schema.ts";

/** The message about a value that a schema refuses. It continues the name of the field. */
export function messageFor(error: ErrorObject): string {
  const sentence = sentences[error.keyword]?.(error) ?? "is not valid.";
  return error.propertyName === undefined ? sentence : `has a key that ${sentence}`;
}

type Sentence = (error: ErrorObject) => string;

const sentences: Record<string, Sentence> = {
  required: () => "is required.",
  dependentRequired: ({ params }) => `is required together with ${String(params["property"])}.`,
  additionalProperties: () => "is not a field of this call.",
  unevaluatedProperties: () => "is not a field of this call.",
  type: ({ params }) => `must be ${namesOf([params["type"] as string | string[]].flat())}.`,
  const: ({ params }) => `must be ${shown(params["allowedValue"])}.`,
  enum: ({ params }) => {
    const values = (params["allowedValues"] as unknown[]).filter((value) => value !== null);
    // Freight classes may be sent as texts or as numbers, and are shown alike.
    const names = [...new Set(values.map(shown))];
    return names.length === 1 ? `must be ${names[0]}.` : `must be one of ${names.join(", ")}.`;
  },
  anyOf: ({ schema }) => unionMessage(schema),
  oneOf: ({ schema, params }) =>
    params["passingSchemas"] ? "fits more than one of the allowed forms." : unionMessage(schema),
  minLength: ({ params: { limit } }) =>
    limit === 1 ? "must not be empty." : `must have at least ${limit} characters.`,
  maxLength: ({ params: { limit } }) =>
    `must have at most ${limit} ${limit === 1 ? "character" : "characters"}.`,
  minimum: ({ params: { limit } }) => `must be at least ${limit}.`,
  maximum: ({ params: { limit } }) => `must be at most ${limit}.`,
  exclusiveMinimum: ({ params: { limit } }) => `must be greater than ${limit}.`,
  exclusiveMaximum: ({ params: { limit } }) => `must be less than ${limit}.`,
  multipleOf: ({ params: { multipleOf } }) => `must be a multiple of ${multipleOf}.`,
  [maxDecimals]: ({ schema }) => `must have at most ${String(schema)} decimals.`,
  pattern: ({ params: { pattern }, data }) =>
    `must be ${patterns[pattern as string] ?? listed(pattern as string) ?? `a text that matches ${pattern}`}${hint(pattern, data)}.`,
  format: ({ params: { format } }) =>
    `must be ${formats[format as string] ?? `a valid ${format}`}.`,
  minItems: ({ params: { limit } }) =>
    limit === 1 ? "must not be empty." : `must have at least ${limit} entries.`,
  maxItems: ({ params: { limit } }) =>
    `must have at most ${limit} ${limit === 1 ? "entry" : "entries"}.`,
  uniqueItems: () => "must not contain the same entry twice.",
  minProperties: ({ params: { limit } }) =>
    `must have at least ${limit} ${limit === 1 ? "key" : "keys"}.`,
  maxProperties: ({ params: { limit } }) => `must have at most ${limit} keys.`,
  not: ({ schema }) => notMessage(schema),
};

const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

const formats: Record<string, string> = {
  date: "a date such as 2026-10-05",
  "date-time": "a moment such as 2026-10-05T14:03:22Z",
  [dayOrMoment]: "a day such as 2026-10-05 or a moment such as 2026-10-05T14:03:22Z",
  time: "a time such as 14:03:22Z",
  email: "an e-mail address",
  uri: "a URL",
  uuid: "a UUID",
};

// The few patterns that the schemas use, in plain text: people do not read regular expressions.
const patterns: Record<string, string> = {
  [currencyPattern]: "a currency's code of ISO 4217, such as CAD",
  [countryPattern]: "a country's two letters, such as CA",
  [timeOfDayPattern]: "a time of day such as 09:00",
  [nmfcPattern]: "an NMFC item such as 156600 or 156600-02",
};

/** What of the text is wrong: words that are no options, or a country that was written out, or in three letters. */
function hint(pattern: unknown, data: unknown): string {
  if (typeof data !== "string") return "";
  const words = listedIn(pattern as string);
  if (words) return unknownWords(data.split(","), words);
  if (pattern !== countryPattern) return "";
  const code = countryCodeFor(data);
  return code === null ? "" : `; ${JSON.stringify(data)} is ${code}`;
}

function unknownWords(named: readonly string[], words: readonly string[]): string {
  const unknown = [...new Set(named)].filter((word) => !words.includes(word));
  if (unknown.length === 0) return "";
  const shortened = unknown.map((word) => JSON.stringify(word.slice(0, 50)));
  return `; ${shortened.join(", ")} ${unknown.length === 1 ? "is none" : "are none"} of them`;
}

/** The pattern of `CommaSeparated`. */
function listed(pattern: string): string | null {
  const words = listedIn(pattern);
  return words && `one or more of ${words.join(", ")}, separated by commas`;
}

/** Null is left out: the message is for a client that sent a value. */
function namesOf(types: string[]): string {
  const names = types.filter((type) => type !== "null").map((type) => typeNames[type] ?? type);
  return names.length > 0 ? [...new Set(names)].join(" or ") : "null";
}

/** Of one value that is excluded, which one; what else a schema excludes has no short name. */
function notMessage(excluded: unknown): string {
  const value = (excluded as { const?: unknown } | undefined)?.const;
  return value === undefined ? "is not allowed." : `must not be ${shown(value)}.`;
}

function unionMessage(branches: unknown): string {
  const types = (branches as { type?: string | string[] }[]).flatMap(({ type }) => type ?? []);
  return types.length > 0 ? `must be ${namesOf(types)}.` : "has none of the allowed forms.";
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
