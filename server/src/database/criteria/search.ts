import { sql, type RawBuilder, type SqlBool } from "kysely";
import { folded } from "../../domain/criteria/folded.ts";

/** What users type into a search, as conditions that match the index expressions of 0036. */

/** A pattern for LIKE: the text as it is, and anything after it. */
export function startingWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Rows whose recipient's name, or its last word, starts with the text, without regard to case and accents. */
export function isNamed(text: string): RawBuilder<SqlBool> {
  const prefix = startingWith(folded(text));
  return sql<SqlBool>`(to_address ->> 'name' IS NOT NULL AND (folded(to_address ->> 'name') LIKE ${prefix}
    OR folded(split_part(to_address ->> 'name', ' ', -1)) LIKE ${prefix}))`;
}
