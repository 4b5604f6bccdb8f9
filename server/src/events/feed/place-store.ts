import { sql } from "kysely";
import { pipelined, withCommit } from "../../database/driver/sending.ts";
import { accountsWithWork } from "../../database/leases/accounts-with-work.ts";
import { rowsOfAccounts } from "../../database/rows.ts";
import { json, type Database, type Tx } from "../../database/tables.ts";

/** Accounts with events that have no position, round-robin. */
export async function accountsWithUnplaced(
  db: Database,
  next: { after: string; limit: number },
): Promise<string[]> {
  const work = { table: "event_outbox", is_waiting: "event_count > 0", due: null };
  const accounts = accountsWithWork(work, next);
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
 * Moves the first events of each of the locked feeds from the outbox into the feed: with their positions, and with their
 * sequences among the events of their subject. Whole rows of the outbox are taken until an account has had the limit.
 * What is placed is what was deleted, so that an event that is placed by now is not placed again.
 *
 * The plan is cached: `next` shows the planner one row, so that it reads the others by their keys (as `rowsOf`).
 */
export function placeNext(feeds: readonly Feed[], limit: number) {
  const columns = sql`id text, type text, subject_id text, data jsonb, actor text, request_id text`;
  return sql<PlacedRow>`
    WITH waiting AS MATERIALIZED (
      SELECT feed.account_id, feed.last_position, each.made
      FROM ${rowsOfAccounts(feeds, "last_position bigint")} AS feed
      CROSS JOIN LATERAL (
        SELECT made, sum(event_count) OVER (ORDER BY made) - event_count AS count_before
        FROM event_outbox AS outbox WHERE outbox.account_id = feed.account_id
        ORDER BY made LIMIT ${limit}) AS each
      WHERE each.count_before < ${limit}),
    next AS (SELECT * FROM waiting WHERE account_id || '' = account_id),
    taken AS (
      DELETE FROM event_outbox AS outbox USING next
      WHERE outbox.account_id = next.account_id AND outbox.made = next.made
      RETURNING outbox.account_id, next.last_position, outbox.made, outbox.created_at, outbox.events),
    numbered AS MATERIALIZED (
      SELECT taken.account_id, taken.created_at, taken.made, each.*,
        last_position + row_number() OVER (PARTITION BY taken.account_id ORDER BY made, nth) AS position,
        coalesce(
          (SELECT sequence FROM events AS earlier
            WHERE earlier.account_id = taken.account_id AND earlier.subject_id = each.subject_id
            ORDER BY sequence DESC LIMIT 1),
          (SELECT last_sequence FROM event_subjects AS subject
            WHERE subject.account_id = taken.account_id AND subject.subject_id = each.subject_id),
          0) + row_number() OVER (PARTITION BY taken.account_id, subject_id ORDER BY made, nth) AS sequence
      FROM taken CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(taken.events) AS (${columns}))
        WITH ORDINALITY AS each (id, type, subject_id, data, actor, request_id, nth)),
    placed AS (
      INSERT INTO events
        (account_id, id, type, subject_id, data, created_at, actor, request_id, made, position, sequence)
      SELECT account_id, id, type, subject_id, data, created_at, actor, request_id, made, position, sequence
      FROM numbered
      RETURNING account_id, id, type, subject_id, position, created_at),
    moved AS (
      UPDATE event_feeds AS feed SET last_position = ends.position
      FROM (SELECT account_id, max(position) AS position FROM numbered GROUP BY account_id) AS ends
      WHERE feed.account_id = ends.account_id)
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
    SELECT least(coalesce(sum(event_count), 0), ${most}::int)::int AS count FROM (
      SELECT event_count FROM event_outbox LIMIT ${most}) AS waiting`.execute(db);
  return rows[0]!.count;
}
