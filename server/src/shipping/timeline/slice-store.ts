import { sql, type RawBuilder } from "kysely";
import type { Slice, TimelineScope } from "./scope.ts";

/** The parts that all statements of a timeline share. */

/** Where a row stands among all entries, in its columns: its moment in milliseconds, its rank and its id. */
interface PlaceColumns {
  at: RawBuilder<unknown>;
  rank: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
}

/** The columns of an entry's position. */
export function position({ at, rank, id }: PlaceColumns) {
  return sql`${inMillis(at)} AS at, ${rank} AS rank, ${id} COLLATE "C" AS id`;
}

/** The first rows after the position: the end of a statement, after its other conditions. */
export function firstAfter({ at, rank, id }: PlaceColumns, { after, limit }: Slice) {
  return sql`AND ${at} >= ${after.at}
    AND (${inMillis(at)}, ${rank}, ${id} COLLATE "C") > (${after.at}::timestamptz, ${after.rank}::integer, ${after.id}::text)
    ORDER BY 1, 2, 3 LIMIT ${limit}`;
}

function inMillis(at: RawBuilder<unknown>) {
  return sql`date_trunc('milliseconds', ${at})`;
}

/** Of a request's timeline only its own rows. */
export function ofRequest(
  { request }: TimelineScope,
  { request_id, at }: { request_id: RawBuilder<unknown>; at: RawBuilder<unknown> },
) {
  if (!request) return sql``;
  // A clock of another process may be a little behind.
  return sql`AND ${request_id} = ${request.request_id} AND ${at} >= ${request.at}::timestamptz - interval '5 seconds'`;
}

/** The addresses of a joined shipment. */
export const addressesOfShipment = sql`jsonb_build_array(shipments.from_address, shipments.to_address, shipments.return_address)`;

/**
 * The account of rows that are found by an index on their subject: hidden from the planner, which may take a whole
 * account for one row, and would then read all of it by the primary key (ADR 16).
 */
export function ofAccount(column: RawBuilder<unknown>, { account_id }: TimelineScope) {
  return sql`${column} || '' = ${account_id}`;
}

/** A rank as a constant of the statement. */
export function rankOf(rank: number) {
  return sql`${sql.raw(String(rank))}`;
}
