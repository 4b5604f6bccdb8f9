import type { Cents } from "../../domain/values/money.ts";
import { textOf, type HttpAnswer } from "../../transport/http-call.ts";
import { centsOf } from "./amount.ts";
import { withoutEnd } from "../../domain/values/without-end.ts";

/**
 * Reading of JSON that may be anything: one thing in place of a list or a list in place of one, numbers for
 * texts, nothing at all. None of these functions throws.
 */

/** An answer's value; undefined where it is no JSON. Numbers of more digits than a double has stay as text. */
export function readJson(answer: Pick<HttpAnswer, "headers" | "bytes">): unknown {
  const text = textOf(answer);
  try {
    return needsCare.test(text) ? JSON.parse(text, careful) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Escapes that PostgreSQL refuses, or a number too long for a double. */
const needsCare = /\\u(0000|d[89a-f])|[:[,\s-]\d{16,}/i;

function careful(
  this: unknown,
  _key: string,
  value: unknown,
  source?: { source?: string },
): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd").toWellFormed();
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return source?.source !== undefined && /^\d+$/.test(source.source) ? source.source : value;
}

/** What is at a path; the first of each list on the way. */
export function valueIn(value: unknown, ...path: readonly string[]): unknown {
  let at = first(value);
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = first((at as Record<string, unknown>)[key]);
  }
  return at;
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** All that is at a path, whether it is a list, one thing or nothing. */
export function listIn(value: unknown, ...path: readonly string[]): unknown[] {
  const key = path.at(-1);
  if (key === undefined) return asList(value);
  const parent = valueIn(value, ...path.slice(0, -1));
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return [];
  return asList((parent as Record<string, unknown>)[key]);
}

function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A text at a path, trimmed; whole numbers as their digits. Null for nothing, blank, and all else. */
export function textIn(value: unknown, ...path: readonly string[]): string | null {
  const at = valueIn(value, ...path);
  const text = typeof at === "number" && Number.isSafeInteger(at) ? String(at) : at;
  if (typeof text !== "string") return null;
  // Integration environments leave escapes of line ends in their texts (UPS-API/api-documentation, issue 63).
  return text.replaceAll("&#xD;", "").trim() || null;
}

/** An amount at a path, a text or a number; never by way of a binary fraction. */
export function centsIn(value: unknown, ...path: readonly string[]): Cents | null {
  const at = valueIn(value, ...path);
  return centsOf(typeof at === "number" ? String(at) : typeof at === "string" ? at : null);
}

/** A code that identifies something at a carrier: letters, digits and a little more, of bounded length. */
export function codeIn(value: unknown, ...path: readonly string[]): string | null {
  const text = textIn(value, ...path);
  return text !== null && /^[\w./:-]{1,100}$/.test(text) ? text : null;
}

/** A file in base64; null for what is not base64, so that half a file does not pass for one. */
export function bytesIn(value: unknown, ...path: readonly string[]): Buffer | null {
  const text = textIn(value, ...path)?.replaceAll(/\s/g, "");
  if (!text) return null;
  const bytes = Buffer.from(text, "base64");
  const isWhole = withoutEnd(bytes.toString("base64"), "=") === withoutEnd(text, "=");
  return isWhole ? bytes : null;
}

/** A day at a path: `YYYYMMDD` or `YYYY-MM-DD`, as the latter. */
export function dayIn(value: unknown, ...path: readonly string[]): string | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:T|$)/.exec(textIn(value, ...path) ?? "");
  if (!match) return null;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  const moment = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== day ? null : day;
}

type IsAbsent<Value> = null extends Value ? true : undefined extends Value ? true : false;
type Compact<T> = {
  [Key in keyof T as IsAbsent<T[Key]> extends true ? never : Key]: T[Key];
} & {
  [Key in keyof T as IsAbsent<T[Key]> extends true ? Key : never]?: NonNullable<T[Key]>;
};

/** Leaves out what is undefined or null, as most carriers refuse empty fields. */
export function compact<T extends object>(fields: T): Compact<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Compact<T>;
}
