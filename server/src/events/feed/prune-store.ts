import { sql } from "kysely";
import { pipelined, withCommit } from "../../database/driver/sending.ts";
import type { Database, Tx } from "../../database/tables.ts";

/** The next accounts, in their order, whose oldest event is older than so many days. */
export async function accountsWithOld(
  db: Database,
  { days, after, limit }: { days: number; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT feed.account_id FROM event_feeds AS feed CROSS JOIN LATERAL (
      SELECT created_at FROM events
      WHERE events.account_id = feed.account_id AND position > feed.pruned_position
      ORDER BY position LIMIT 1) AS oldest
    WHERE feed.account_id > ${after} AND oldest.created_at < now() - make_interval(days => ${days}::int)
    ORDER BY feed.account_id LIMIT ${limit}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** The position up to which events are gone; null when another transaction has the feed. */
export async function lockFeedToPrune(tx: Tx, account_id: string): Promise<number | null> {
  const { rows } = await sql<{ pruned_position: number }>`
    SELECT pruned_position FROM event_feeds WHERE account_id = ${account_id}
    FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0]?.pruned_position ?? null;
}

interface First {
  position: number;
  is_old: boolean;
  /** It has a delivery that has not ended. */
  is_pending: boolean;
}

export async function readFirst(
  tx: Tx,
  account_id: string,
  { after, days, limit }: { after: number; days: number; limit: number },
): Promise<First[]> {
  const { rows } = await sql<First>`
    SELECT position, created_at < now() - make_interval(days => ${days}::int) AS is_old,
      EXISTS (
        SELECT FROM deliveries WHERE deliveries.account_id = ${account_id}
          AND deliveries.event_id = events.id AND deliveries.status = 'pending') AS is_pending
    FROM events WHERE account_id = ${account_id} AND position > ${after}
    ORDER BY position LIMIT ${limit}`.execute(tx);
  return rows;
}

/**
 * Deletes them, keeps the last sequence of each of their subjects, so that the numbers go on when no event is left, and moves
 * the feed's beginning. The end of the transaction.
 */
export async function deleteEvents(
  tx: Tx,
  account_id: string,
  { after, through }: { after: number; through: number },
): Promise<void> {
  await pipelined(sql`
    WITH gone AS (
      DELETE FROM events WHERE account_id = ${account_id} AND position > ${after} AND position <= ${through}
      RETURNING subject_id, sequence)
    INSERT INTO event_subjects (account_id, subject_id, last_sequence)
    SELECT ${account_id}, subject_id, max(sequence) FROM gone GROUP BY subject_id
    ON CONFLICT (account_id, subject_id) DO UPDATE SET last_sequence = excluded.last_sequence`).execute(
    tx,
  );
  await withCommit(sql`
    UPDATE event_feeds SET pruned_position = ${through} WHERE account_id = ${account_id}`).execute(
    tx,
  );
}

/** Those that ended before so many days, of all accounts; returns how many. */
export async function deleteEndedDeliveries(
  db: Database,
  days: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM deliveries WHERE ended_at < now() - make_interval(days => ${days}::int)
      ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
