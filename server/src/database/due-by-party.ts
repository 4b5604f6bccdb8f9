import { sql, type RawBuilder } from "kysely";

/** How many rows of each party may be taken: of those named here so many, of every other `others`. */
export interface Places {
  others: number;
  of: Readonly<Record<string, number>>;
}

/**
 * The CTEs `parties` and `due`, for a statement that takes what is due at outside parties: the keys of rows that
 * it locks, of each party as many as it has places. It goes from one party to the next by an index on the party
 * and the moment, so that the work does not grow with what one party has open.
 */
export function dueByParty({
  table,
  key,
  party,
  at,
  is_listed,
  is_due,
  places,
}: {
  table: string;
  key: readonly string[];
  party: string;
  /** When a row is due; the index is on party and this. */
  at: string;
  /** The condition of the index. */
  is_listed: RawBuilder<unknown>;
  is_due: RawBuilder<unknown>;
  places: Places;
}) {
  const rows = sql.table(table);
  const code = sql.ref(`${table}.${party}`);
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const limit = sql`coalesce((${JSON.stringify(places.of)}::jsonb ->> parties.party)::int, ${places.others}::int)`;
  return sql`
    RECURSIVE parties (party) AS (
      (SELECT ${code} FROM ${rows} WHERE ${is_listed} ORDER BY ${code} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${code} FROM ${rows} WHERE ${is_listed} AND ${code} > parties.party ORDER BY ${code} LIMIT 1)
      FROM parties WHERE parties.party IS NOT NULL),
    due AS (
      SELECT one.* FROM parties CROSS JOIN LATERAL (
        SELECT ${keys} FROM ${rows}
        WHERE ${code} = parties.party AND ${is_listed} AND ${is_due}
        ORDER BY ${sql.ref(`${table}.${at}`)} LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS one)`;
}
