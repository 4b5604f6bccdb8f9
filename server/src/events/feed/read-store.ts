import { sql } from "kysely";
import { inSnapshot } from "../../database/connect.ts";
import type { Database, Tx } from "../../database/tables.ts";
import type { PlacedEvent } from "../payload.ts";

/** The ends of an account's feed. */
export interface FeedEnds {
  last_position: number;
  /** Events up to it are gone; 0: none is. */
  pruned_position: number;
}

/** The positions up to which the feed is placed, and up to which it is pruned; 0 for an account without events. */
export async function readEnds(db: Database | Tx, account_id: string): Promise<FeedEnds> {
  const { rows } = await sql<FeedEnds>`
    SELECT last_position, pruned_position FROM event_feeds WHERE account_id = ${account_id}`.execute(
    db,
  );
  return rows[0] ?? { last_position: 0, pruned_position: 0 };
}

export interface Selection {
  /** Null: all of them. */
  types: readonly string[] | null;
  subject_id: string | null;
  limit: number;
}

export interface Page {
  events: PlacedEvent[];
  /** The next page begins after it. */
  next_position: number;
  /** It is the feed's end. */
  is_caught_up: boolean;
}

/**
 * A call looks at no more events of other types than this, however few match: the reader's next call goes on
 * behind them.
 */
const scannedMax = 10_000;

/**
 * The next matching events, oldest first. `begin` returns the position after which to read, and throws when
 * the reader's cursor does not lie in the feed.
 */
export async function readPage(
  db: Database,
  account_id: string,
  { begin, ...selection }: Selection & { begin: (ends: FeedEnds) => number },
): Promise<Page> {
  return inSnapshot(db, async (tx) => {
    const ends = await readEnds(tx, account_id);
    const after = begin(ends);
    const isScan = selection.types !== null && selection.subject_id === null;
    const through = (isScan && (await positionAhead(tx, account_id, after))) || ends.last_position;
    const events = await readEvents(tx, account_id, { ...selection, after, through });
    const next_position = events.length < selection.limit ? through : events.at(-1)!.position;
    return { events, next_position, is_caught_up: next_position === ends.last_position };
  });
}

/** Of the last event to look at, or null when the feed ends before. */
async function positionAhead(tx: Tx, account_id: string, after: number): Promise<number | null> {
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM events WHERE account_id = ${account_id} AND position > ${after}
    ORDER BY position OFFSET ${scannedMax - 1} LIMIT 1`.execute(tx);
  return rows[0]?.position ?? null;
}

export async function readEvents(
  db: Database | Tx,
  account_id: string,
  { types, subject_id, limit, after, through }: Selection & { after: number; through: number },
): Promise<PlacedEvent[]> {
  const isOfSubject = subject_id === null ? sql`` : sql`AND subject_id = ${subject_id}`;
  const isOfType = types === null ? sql`` : sql`AND type = ANY(${types})`;
  // Of one subject sequences and positions have one order, and an index has the former.
  const order = subject_id === null ? sql`position` : sql`sequence`;
  const { rows } = await sql<PlacedEvent>`
    SELECT id, type, created_at, subject_id, sequence, position, actor, request_id, data FROM events
    WHERE account_id = ${account_id} AND position > ${after} AND position <= ${through}
      ${isOfSubject} ${isOfType}
    ORDER BY ${order} LIMIT ${limit}`.execute(db);
  return rows;
}

/** Undefined also for one that has no position yet. */
export async function findEvent(
  db: Database,
  account_id: string,
  id: string,
): Promise<PlacedEvent | undefined> {
  const { rows } = await sql<PlacedEvent>`
    SELECT id, type, created_at, subject_id, sequence, position, actor, request_id, data FROM events
    WHERE account_id = ${account_id} AND id = ${id}`.execute(db);
  return rows[0];
}

/** The ends of those feeds that have any event. */
export async function readHeads(
  db: Database,
  accounts: readonly string[],
): Promise<{ account_id: string; last_position: number }[]> {
  const { rows } = await sql<{ account_id: string; last_position: number }>`
    SELECT account_id, last_position FROM event_feeds WHERE account_id = ANY(${accounts})`.execute(
    db,
  );
  return rows;
}
