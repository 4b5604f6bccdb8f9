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

export interface Feed {
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

export interface Unplaced {
  account_id: string;
  id: string;
  type: string;
  subject_id: string;
  /** Of the events of its subject that are placed; 0: there is none. */
  last_sequence: number;
  late_seconds: number;
}

/** The first of each account, in the order of their feeds. */
export async function readUnplaced(
  tx: Tx,
  accounts: readonly string[],
  limit: number,
): Promise<Unplaced[]> {
  const { rows } = await sql<Unplaced>`
    SELECT next.account_id, next.id, next.type, next.subject_id, coalesce(subject.last_sequence, 0) AS last_sequence,
      extract(epoch FROM now() - next.created_at)::float8 AS late_seconds
    FROM unnest(${accounts}::text[]) AS each (account_id)
    CROSS JOIN LATERAL (
      SELECT account_id, id, type, subject_id, made, created_at FROM events
      WHERE events.account_id = each.account_id AND position IS NULL
      ORDER BY made NULLS FIRST, created_at, id LIMIT ${limit}) AS next
    LEFT JOIN event_subjects AS subject
      ON subject.account_id = next.account_id AND subject.subject_id = next.subject_id
    ORDER BY next.account_id, next.made NULLS FIRST, next.created_at, next.id`.execute(tx);
  return rows;
}

export interface WebhookRow {
  account_id: string;
  id: string;
  types: string[];
  since_position: number;
}

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
  sequence: number;
}

/** Along with the next statement. The transaction fails when one of them has a position already. */
export async function writePlaces(tx: Tx, placed: readonly PlacedRow[]): Promise<void> {
  const rows = rowsOfAccounts(placed, "id text, position bigint, sequence integer");
  await pipelined(sql`
    WITH placed AS (
      UPDATE events SET position = each.position, sequence = each.sequence FROM ${rows} AS each
      WHERE events.account_id = each.account_id AND events.id = each.id AND coalesce(events.position, 0) = 0
      RETURNING events.account_id)
    SELECT count(*) = ${placed.length} OR ${refuse("event_placed_twice")} FROM placed`).execute(tx);
}

/** The last event of each subject. Along with the next statement. */
export async function writeSubjects(tx: Tx, last: readonly PlacedRow[]): Promise<void> {
  await pipelined(sql`
    INSERT INTO event_subjects (account_id, subject_id, last_sequence)
    SELECT account_id, subject_id, sequence
    FROM jsonb_to_recordset(${json(last)}::jsonb) AS each (account_id text, subject_id text, sequence integer)
    ON CONFLICT (account_id, subject_id) DO UPDATE SET last_sequence = excluded.last_sequence`).execute(
    tx,
  );
}

export interface Delivery {
  account_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
}

/** Due at once. Along with the next statement. */
export async function insertDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await pipelined(sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, due_at)
    SELECT account_id, id, webhook_id, event_id, event_type, 'event', 'pending', now()
    FROM jsonb_to_recordset(${json(deliveries)}::jsonb) AS each
      (account_id text, id text, webhook_id text, event_id text, event_type text)`).execute(tx);
}

/** Their webhooks are due at once. Along with the next statement. */
export async function wakeWebhooks(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  const webhooks = new Map(
    deliveries.map(({ account_id, webhook_id }) => [webhook_id, { account_id, webhook_id }]),
  );
  const rows = rowsOfAccounts([...webhooks.values()], "webhook_id text");
  await pipelined(sql`
    UPDATE webhooks SET due_at = now() FROM ${rows} AS each
    WHERE webhooks.account_id = each.account_id AND webhooks.id = each.webhook_id
      AND (webhooks.due_at IS NULL OR webhooks.due_at > now())`).execute(tx);
}

/** The last event of each feed. The end of the transaction. */
export async function moveFeeds(tx: Tx, last: readonly PlacedRow[]): Promise<void> {
  const rows = rowsOfAccounts(last, "position bigint");
  await withCommit(sql`
    UPDATE event_feeds SET last_position = each.position FROM ${rows} AS each
    WHERE event_feeds.account_id = each.account_id`).execute(tx);
}

/** How many events of all accounts wait for their position; counts no more than `most`. */
export async function countUnplaced(db: Database, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 AS one FROM events WHERE position IS NULL LIMIT ${most}) AS unplaced`.execute(db);
  return rows[0]!.count;
}
