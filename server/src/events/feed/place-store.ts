import { sql } from "kysely";
import { pipelined, withCommit } from "../../database/driver/sending.ts";
import { accountsWithWork } from "../../database/leases/accounts-with-work.ts";
import { refuse } from "../../database/refusals.ts";
import { rowsOfAccounts } from "../../database/rows.ts";
import { json, type Database, type Tx } from "../../database/tables.ts";

/** Accounts with events that have no position, round-robin. */
export async function accountsWithUnplaced(
  db: Database,
  next: { after: string; limit: number },
): Promise<string[]> {
  const accounts = accountsWithWork(
    { table: "events", is_waiting: "position IS NULL", due: "made", is_due_at_once: true },
    next,
  );
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM ${accounts} AS next`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

interface Feed {
  account_id: string;
  last_position: number;
}

/**
 * Locks those of the accounts' feeds that no other transaction has locked. By a statement of its own: one that also
 * read the events could get the lock after another placer's commit and still see the rows of before it.
 */
export async function lockFeeds(tx: Tx, accounts: readonly string[]): Promise<Feed[]> {
  await pipelined(sql`
    INSERT INTO event_feeds (account_id)
    SELECT each.account_id FROM unnest(${accounts}::text[]) AS each (account_id)
    WHERE NOT EXISTS (SELECT FROM event_feeds AS feed WHERE feed.account_id = each.account_id)
    ORDER BY each.account_id ON CONFLICT DO NOTHING`).execute(tx);
  const { rows } = await sql<Feed>`
    SELECT account_id, last_position FROM event_feeds WHERE account_id = ANY(${accounts})
    FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows;
}

/**
 * Locks one account's feed, so that no event is placed until the end of the transaction, and returns its
 * last position. Whatever changes which events a webhook gets (its creation, its types, its status, its deletion) does
 * so behind this lock: a placer reads the webhooks behind the same lock. So does what makes deliveries of events that are placed
 * already: pruning locks the feed before it looks for pending deliveries.
 */
export async function lockFeed(tx: Tx, account_id: string): Promise<number> {
  await pipelined(sql`
    INSERT INTO event_feeds (account_id) VALUES (${account_id}) ON CONFLICT DO NOTHING`).execute(
    tx,
  );
  const { rows } = await sql<Feed>`
    SELECT last_position FROM event_feeds WHERE account_id = ${account_id} FOR UPDATE`.execute(tx);
  return rows[0]!.last_position;
}

export interface WebhookRow {
  account_id: string;
  id: string;
  types: string[];
  since_position: number;
}

/** The enabled ones: the others get no deliveries. */
export async function readWebhooks(tx: Tx, accounts: readonly string[]): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    SELECT account_id, id, types, since_position FROM webhooks
    WHERE account_id = ANY(${accounts}) AND status = 'enabled'`.execute(tx);
  return rows;
}

export interface PlacedRow {
  account_id: string;
  id: string;
  type: string;
  subject_id: string;
  position: number;
  late_seconds: number;
}

/**
 * Gives the first events of each of the locked feeds, at most so many of each, their positions, and their sequences
 * among the events of their subject. The transaction fails when one of them has a position by now. The lock makes
 * ON CONFLICT needless, which doubled the cost of a subject's row.
 *
 * The plan is cached: `next` shows the planner one row, so that it looks up the others by their keys (as `rowsOf`).
 */
export function placeNext(feeds: readonly Feed[], limit: number) {
  const order = sql`made NULLS FIRST, created_at, id`;
  return sql<PlacedRow>`
    WITH unplaced AS MATERIALIZED (
      SELECT feed.account_id, each.id, each.subject_id, each.last_sequence,
        feed.last_position + row_number() OVER (PARTITION BY feed.account_id ORDER BY ${order}) AS position,
        coalesce(each.last_sequence, 0)
          + row_number() OVER (PARTITION BY feed.account_id, subject_id ORDER BY ${order}) AS sequence
      FROM ${rowsOfAccounts(feeds, "last_position bigint")} AS feed
      CROSS JOIN LATERAL (
        SELECT id, subject_id, made, created_at, (
            SELECT last_sequence FROM event_subjects AS subject
            WHERE subject.account_id = events.account_id AND subject.subject_id = events.subject_id)
        FROM events
        WHERE events.account_id = feed.account_id AND position IS NULL ORDER BY ${order} LIMIT ${limit}) AS each),
    next AS (SELECT * FROM unplaced WHERE account_id || '' = account_id),
    placed AS (
      UPDATE events SET position = next.position, sequence = next.sequence FROM next
      WHERE events.account_id = next.account_id AND events.id = next.id AND coalesce(events.position, 0) = 0
      RETURNING events.account_id, events.id, events.type, events.subject_id, events.position, events.created_at),
    subjects AS (
      SELECT account_id, subject_id, last_sequence, max(sequence) AS sequence FROM next
      GROUP BY account_id, subject_id, last_sequence),
    new_subjects AS (
      INSERT INTO event_subjects (account_id, subject_id, last_sequence)
      SELECT account_id, subject_id, sequence FROM subjects WHERE last_sequence IS NULL),
    known_subjects AS (
      UPDATE event_subjects AS known SET last_sequence = subjects.sequence FROM subjects
      WHERE known.account_id = subjects.account_id AND known.subject_id = subjects.subject_id
        AND subjects.last_sequence IS NOT NULL),
    feeds AS (
      UPDATE event_feeds AS feed SET last_position = ends.position
      FROM (SELECT account_id, max(position) AS position FROM next GROUP BY account_id) AS ends
      WHERE feed.account_id = ends.account_id
        AND ((SELECT count(*) FROM placed) = (SELECT count(*) FROM unplaced) OR ${refuse("event_placed_twice")}))
    SELECT account_id, id, type, subject_id, position,
      extract(epoch FROM now() - created_at)::float8 AS late_seconds
    FROM placed ORDER BY account_id, position`;
}

export interface Delivery {
  account_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
}

/**
 * Due at once. Dated by the statement: the transaction may have begun before the events happened. Along with the next
 * statement.
 */
export async function insertDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await pipelined(sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, due_at, created_at)
    SELECT account_id, id, webhook_id, event_id, event_type, 'event', 'pending', now(), statement_timestamp()
    FROM jsonb_to_recordset(${json(deliveries)}::jsonb) AS each
      (account_id text, id text, webhook_id text, event_id text, event_type text)`).execute(tx);
}

/** Their webhooks are due at once. The end of the transaction. */
export async function wakeWebhooks(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  const webhooks = new Map(
    deliveries.map(({ account_id, webhook_id }) => [webhook_id, { account_id, webhook_id }]),
  );
  const rows = rowsOfAccounts([...webhooks.values()], "webhook_id text");
  await withCommit(sql`
    UPDATE webhooks SET due_at = now() FROM ${rows} AS each
    WHERE webhooks.account_id = each.account_id AND webhooks.id = each.webhook_id
      AND (webhooks.due_at IS NULL OR webhooks.due_at > now())`).execute(tx);
}

/** How many events of all accounts wait for their position; counts no more than `most`. */
export async function countUnplaced(db: Database, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 AS one FROM events WHERE position IS NULL LIMIT ${most}) AS unplaced`.execute(db);
  return rows[0]!.count;
}
