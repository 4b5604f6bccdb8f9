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
  return spend(walk, isShownByAny(value, schemas, walk.known) ? value : hidden);
}

function isShownByAny(
  value: unknown,
  schemas: readonly Schema[],
  codes: ReadonlySet<string>,
): boolean {
  for (const schema of schemas)
    for (const leaf of partsOf(schema).leaves) if (isShown(value, leaf, codes)) return true;
  return false;
}

function keepEntries(
  values: readonly unknown[],
  schemas: readonly Schema[],
  { walk, depth }: { walk: Walk; depth: number },
): unknown {
  const items = itemsOf(schemas);
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
  for (const name of Object.keys(value)) {
    const fields = fieldsNamed(name, schemas);
    if (fields.length > 0) {
      walk.left -= name.length + 4;
      kept[name] = keep((value as Record<string, unknown>)[name], fields, walk, depth + 1);
    } else isMore = true;
    if (walk.left <= 0) break;
  }
  if (isMore || walk.left <= 0) kept[hidden] = hidden;
  return kept;
}

/** Characters, about: the result is measured. */
function spend<T>(walk: Walk, value: T): T {
  walk.left -= (typeof value === "string" ? value.length + 2 : 4) + 1;
  return value;
}

/** What a walk asks of a schema, collected once: each request walks the same ones. */
interface Parts {
  /** What each form that it allows shows of a single value. */
  leaves: readonly Leaf[];
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
      leaves: all.map(leafOf),
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
function fieldsNamed(name: string, schemas: readonly Schema[]): readonly Schema[] {
  const of = (schema: Schema) => partsOf(schema).fields.get(name) ?? nothing;
  return schemas.length === 1 ? of(schemas[0]!) : schemas.flatMap(of);
}

function itemsOf(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.length === 1
    ? partsOf(schemas[0]!).items
    : schemas.flatMap((schema) => partsOf(schema).items);
}

/** A number of a card or a telephone has more digits than any amount, weight or count. */
const numberMax = 1e9;

/** What one form of a schema shows of a single value. */
interface Leaf {
  options: ReadonlySet<unknown>;
  is_boolean: boolean;
  is_number: boolean;
  /** Null: no texts other than the options. */
  text: ((text: string, codes: ReadonlySet<string>) => boolean) | null;
}

function leafOf(schema: Schema): Leaf {
  const types = [schema.type ?? []].flat();
  const only = schema.const === undefined ? [] : [schema.const];
  return {
    options: new Set([...(schema.enum ?? []), ...only]),
    is_boolean: types.includes("boolean"),
    is_number: types.includes("number") || types.includes("integer"),
    text: types.includes("string") ? shownTexts(schema) : null,
  };
}

function isShown(value: unknown, leaf: Leaf, codes: ReadonlySet<string>): boolean {
  if (leaf.options.size > 0 && leaf.options.has(value)) return true;
  if (typeof value === "boolean") return leaf.is_boolean;
  if (typeof value === "number") return leaf.is_number && Math.abs(value) < numberMax;
  return typeof value === "string" && leaf.text !== null && leaf.text(value, codes);
}

const id = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const moment = /^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?)?$/;
/** A code or a number of ours or of a carrier. */
const word = /^[A-Za-z0-9][\w.:-]{0,63}$/;
const patterns = new Map(
  [currencyPattern, countryPattern, timeOfDayPattern].map((each) => [each, new RegExp(each)]),
);

function shownTexts({ format, pattern, [logKey]: marked }: Schema): NonNullable<Leaf["text"]> {
  if (format?.startsWith("date") || format === "day-or-moment")
    return (text) => moment.test(text) || id.test(text);
  if (marked === "known") return (text, codes) => codes.has(text) || id.test(text);
  if (marked !== "show") return (text) => id.test(text);
  const shape = (pattern === undefined ? undefined : patterns.get(pattern)) ?? word;
  return (text) => shape.test(text) || id.test(text);
}
