import pg from "pg";
import { fromCents } from "../domain/values/money.ts";
import type { TextRow } from "./driver/sending.ts";

/**
 * Values of columns as JSON, from the texts that PostgreSQL sends (`asTexts`), where the default would make values
 * of all of them to write them as JSON at once. What each function returns is what `JSON.stringify` makes of the value.
 */

/** The columns of a table that a reader of its rows wants, each once, in the order of the first use. */
export interface Wanted<Column extends string> {
  readonly columns: readonly Column[];
  /** The column's place in a row. */
  place(column: Column): number;
}

export function wantedColumns<Column extends string>(): Wanted<Column> {
  const columns: Column[] = [];
  return {
    columns,
    place(column) {
      const known = columns.indexOf(column);
      return known === -1 ? columns.push(column) - 1 : known;
    },
  };
}

/** A field of a row as it is shown: the columns that it is made of, and its JSON, with what the whole row has in common. */
export interface TextField<Column extends string, Made> {
  readonly reads: readonly Column[];
  show(row: TextRow, made: Made): string;
}

/** The JSON of rows of texts: fields in the order of `names`, of which a reader may choose some. */
interface RowText<Column extends string, Made> {
  write(row: TextRow, made: Made, chosen: ReadonlySet<string> | null): string;
  /** The columns that the chosen fields are made of; null for all. */
  readBy(chosen: ReadonlySet<string> | null): ReadonlySet<Column> | null;
}

export function rowText<Name extends string, Column extends string, Made>(
  names: readonly Name[],
  fields: Readonly<Record<Name, TextField<Column, Made>>>,
): RowText<Column, Made> {
  const parts = names.map((name) => ({ name, before: `"${name}":`, field: fields[name] }));
  return {
    write(row, made, chosen) {
      let all = "";
      for (const { name, before, field } of parts) {
        if (chosen !== null && !chosen.has(name)) continue;
        all += (all === "" ? "{" : ",") + before + field.show(row, made);
      }
      return `${all}}`;
    },
    readBy(chosen) {
      if (chosen === null) return null;
      return new Set(parts.flatMap(({ name, field }) => (chosen.has(name) ? field.reads : [])));
    },
  };
}

type Text = TextRow[number];

/** A text as JSON, and null as null. */
export function textJson(text: Text): string {
  return text === null ? "null" : JSON.stringify(text);
}

/** A boolean as PostgreSQL writes it in text, `t` or `f`, as JSON. */
export function booleanJson(text: Text): string {
  return text === null ? "null" : text === "t" ? "true" : "false";
}

/** Cents, as the amount that the API shows. */
export function amountJson(text: Text): string {
  return text === null ? "null" : String(fromCents(Number(text)));
}

/** As PostgreSQL writes a moment in UTC, which is the time zone of most servers. */
const utcMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const parseMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, "text") as (
  text: string,
) => Date;

/** To the millisecond, as `Date.toISOString` has it. */
export function momentJson(text: Text): string {
  if (text === null) return "null";
  if (!utcMoment.test(text)) return `"${parseMoment(text).toISOString()}"`;
  const millis = text.length > 22 ? text.slice(20, Math.min(23, text.length - 3)) : "";
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${millis.padEnd(3, "0")}Z"`;
}

const textArray = 1009;
const parseArray = pg.types.getTypeParser(textArray as never, "text") as (text: string) => string[];

/** `text[]`. */
export function textsJson(text: Text): string {
  if (text === null) return "null";
  return text === "{}" ? "[]" : JSON.stringify(parseArray(text));
}
