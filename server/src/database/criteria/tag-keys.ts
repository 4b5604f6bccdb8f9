import { sql, type RawBuilder, type SqlBool } from "kysely";
import { folded } from "../../domain/criteria/folded.ts";
import type { Way } from "./search.ts";

/**
 * Tags in the index of a table of all accounts: each prefixed with its account, so that one account's
 * frequent tag does not match another's, and folded as criteria compare it.
 */

/** As the indexes have it. */
const tagKeys = "tag_keys(account_id, tags)";

/** Rows of the account that have any of these tags, which are folded. */
export function hasWord(accountId: string, words: readonly string[]): RawBuilder<SqlBool> {
  const wanted = words.map((word) => `${accountId} ${word}`);
  return sql<SqlBool>`(tags <> '{}' AND ${sql.raw(tagKeys)} && ${wanted}::text[])`;
}

/** Rows of the account that have exactly this tag. */
function hasTag(accountId: string, tag: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${hasWord(accountId, [folded(tag)])} AND tags @> ARRAY[${tag}::text])`;
}

/** The same as a way to the rows: by the index of tags, which has the account in each key. */
export function tagWay(accountId: string, tag: string): Way {
  return { range: hasTag(accountId, tag), filter: sql<SqlBool>`tags @> ARRAY[${tag}::text]` };
}
