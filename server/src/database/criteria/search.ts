import { sql, type RawBuilder, type SqlBool } from "kysely";
import { folded } from "../../domain/criteria/folded.ts";

/** What users type into a search, as conditions that match the index expressions of 0065. */

type Condition = RawBuilder<SqlBool>;

/**
 * A way to the rows that a search wants. `range` is one range of one index, whatever is known of the table: a pattern
 * that is a parameter is none for a plan that is made for all patterns. `filter` is the same for each row by itself, and
 * serves no index.
 */
export interface Way {
  range: Condition;
  filter: Condition;
  /** What the index has in its order, before the id; absent when it has no order. */
  text?: RawBuilder<unknown>;
}

/** A pattern for LIKE: the text as it is, and anything after it. */
export function startingWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Rows of which this text, by a `text_pattern_ops` index on it, starts with the prefix. */
export function startsWith(text: RawBuilder<unknown>, prefix: RawBuilder<unknown>): Way {
  return {
    // No text is behind the last code point.
    range: sql<SqlBool>`(${text} ~>=~ ${prefix} AND ${text} ~<~ (${prefix} || chr(1114111)))`,
    filter: sql<SqlBool>`starts_with(${text} || '', ${prefix})`,
    text,
  };
}

const name = sql`to_address ->> 'name'`;

/** Rows whose recipient's name, or its last word, starts with the text, without regard to case and accents. */
export function isNamed(text: string): Way[] {
  const prefix = sql`${folded(text)}::text`;
  const whole = startsWith(sql`folded(${name})`, prefix);
  const last = startsWith(sql`folded(split_part(${name}, ' ', -1))`, prefix);
  // In the words of the indexes: they are of rows that have a name.
  return [whole, last].map((way) => ({
    ...way,
    range: sql<SqlBool>`(${name} IS NOT NULL AND ${way.range})`,
  }));
}
