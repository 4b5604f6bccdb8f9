import { countryPattern, currencyPattern, logKey, timeOfDayPattern } from "../values/schema.ts";

/**
 * What a log keeps of a value: an allow-list. Shown are numbers, booleans, options of a list, ids and moments
 * where the schema has such a field, and texts that the schema marks with `Logged`. Everything else is "…",
 * also the names of fields that the schema does not have: a client chooses those.
 */

export const hidden = "…";

/** The most bytes that a log keeps of one body. */
export const keptBytesMax = 4096;

export interface RedactOptions {
  /** Codes of services and carriers: what a field that is marked `known` may show. */
  known?: ReadonlySet<string>;
}

/** The value as JSON of at most 4 KB, with what is not allowed hidden and what is too much left out. */
export function redacted(
  value: unknown,
  schema: object,
  { known = none }: RedactOptions = {},
): string {
  const walk = { known, left: keptBytesMax - reserve };
  const text = JSON.stringify(keep(value, [schema], walk));
  return Buffer.byteLength(text) <= keptBytesMax ? text : JSON.stringify(hidden);
}

/** The names of all fields of schemas, however deep. */
export function fieldsOf(schemas: readonly object[]): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
    seen.add(schema);
    if (Array.isArray(schema)) return schema.forEach(visit);
    const { properties } = schema as Schema;
    for (const name of Object.keys(properties ?? {})) names.add(name);
    Object.values(schema).forEach(visit);
  };
  schemas.forEach(visit);
  return names;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [logKey]?: "show" | "known";
  "x-documented"?: Schema;
}

interface Walk {
  known: ReadonlySet<string>;
  /** Bytes that may still be kept. */
  left: number;
}

const none: ReadonlySet<string> = new Set();
/** For brackets and what is hidden behind the last value that fits. */
const reserve = 256;
const depthMax = 16;

function keep(value: unknown, schemas: readonly Schema[], walk: Walk, depth = 0): unknown {
  if (value === null) return spend(walk, null);
  if (value instanceof Date) return keep(value.toISOString(), schemas, walk, depth);
  if (depth > depthMax || walk.left <= 0) return hidden;
  if (Array.isArray(value)) return keepEntries(value, schemas, { walk, depth });
  if (typeof value === "object" && !ArrayBuffer.isView(value))
    return keepFields(value, schemas, { walk, depth });
  const isAllowed = schemas.some((schema) =>
    partsOf(schema).all.some((each) => isShown(value, each, walk.known)),
  );
  return spend(walk, isAllowed ? value : hidden);
}

function keepEntries(
  values: readonly unknown[],
  schemas: readonly Schema[],
  { walk, depth }: { walk: Walk; depth: number },
): unknown {
  const items = inAny(schemas, (parts) => parts.items);
  if (items.length === 0) return spend(walk, hidden);
  walk.left -= 3;
  const kept: unknown[] = [];
  for (const value of values) {
    if (walk.left <= 0) return [...kept, hidden];
    kept.push(keep(value, items, walk, depth + 1));
  }
  return kept;
}

function keepFields(
  value: object,
  schemas: readonly Schema[],
  { walk, depth }: { walk: Walk; depth: number },
): unknown {
  // For its brackets: a list of a million empty objects must end the walk, too.
  walk.left -= 3;
  const kept: Record<string, unknown> = {};
  let isMore = false;
  for (const [name, inner] of Object.entries(value)) {
    const fields = inAny(schemas, (parts) => parts.fields.get(name) ?? nothing);
    if (fields.length > 0) {
      walk.left -= name.length + 4;
      kept[name] = keep(inner, fields, walk, depth + 1);
    } else isMore = true;
    if (walk.left <= 0) break;
  }
  return isMore || walk.left <= 0 ? { ...kept, [hidden]: hidden } : kept;
}

/** Characters, about: the result is measured. */
function spend<T>(walk: Walk, value: T): T {
  walk.left -= (typeof value === "string" ? value.length + 2 : 4) + 1;
  return value;
}

/** What a walk asks of a schema, collected once: each request walks the same ones. */
interface Parts {
  /** The forms that it allows, each without further ones. */
  all: readonly Schema[];
  /** By name, those of any form. */
  fields: ReadonlyMap<string, Schema[]>;
  items: readonly Schema[];
}

const nothing: readonly Schema[] = [];
const known = new WeakMap<Schema, Parts>();

function partsOf(schema: Schema): Parts {
  let parts = known.get(schema);
  if (!parts) {
    const all = alternatives(schema);
    const fields = all.flatMap(({ properties = {} }) => Object.entries(properties));
    const byName = Map.groupBy(fields, ([name]) => name);
    parts = {
      all,
      fields: new Map([...byName].map(([name, of]) => [name, of.map(([, field]) => field)])),
      items: all.flatMap(({ items }) => (items ? [items] : [])),
    };
    known.set(schema, parts);
  }
  return parts;
}

function alternatives(schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [], allOf = [], "x-documented": documented } = schema;
  const others = [...anyOf, ...oneOf, ...allOf, ...(documented ? [documented] : [])];
  return [schema, ...others.flatMap(alternatives)];
}

/** Of one schema without a copy, which most places have. */
function inAny(
  schemas: readonly Schema[],
  part: (parts: Parts) => readonly Schema[],
): readonly Schema[] {
  const [only] = schemas;
  if (only && schemas.length === 1) return part(partsOf(only));
  return schemas.flatMap((schema) => part(partsOf(schema)));
}

/** A number of a card or a telephone has more digits than any amount, weight or count. */
const numberMax = 1e9;

function isShown(value: unknown, schema: Schema, codes: ReadonlySet<string>): boolean {
  const types = [schema.type ?? []].flat();
  if (schema.enum?.includes(value) || (schema.const !== undefined && schema.const === value))
    return true;
  if (typeof value === "boolean") return types.includes("boolean");
  if (typeof value === "number")
    return (types.includes("number") || types.includes("integer")) && Math.abs(value) < numberMax;
  return typeof value === "string" && types.includes("string") && isShownText(value, schema, codes);
}

const id = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const moment = /^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?)?$/;
/** A code or a number of ours or of a carrier. */
const word = /^[A-Za-z0-9][\w.:-]{0,63}$/;
const patterns = new Map(
  [currencyPattern, countryPattern, timeOfDayPattern].map((each) => [each, new RegExp(each)]),
);

function isShownText(text: string, schema: Schema, codes: ReadonlySet<string>): boolean {
  const { format, pattern, [logKey]: marked } = schema;
  if (id.test(text)) return true;
  if (format?.startsWith("date") || format === "day-or-moment") return moment.test(text);
  if (marked === "known") return codes.has(text);
  if (marked !== "show") return false;
  const shape = pattern === undefined ? undefined : patterns.get(pattern);
  return (shape ?? word).test(text);
}
