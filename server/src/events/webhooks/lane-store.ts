import { sql } from "kysely";
import { inTransaction } from "../../database/connect.ts";
import { pipelined, withCommit } from "../../database/driver/sending.ts";
import { holderIsDead } from "../../database/leases/holder.ts";
import { rowsOfAccounts } from "../../database/rows.ts";
import type { Database, Environment } from "../../database/tables.ts";
import type { PlacedEvent } from "../payload.ts";
import { isReconciled } from "../../database/health/restores.ts";

/** What a process reads of the webhooks that it holds, and how it leaves them. */

/** A delivery that is due, with its event; null of each where the webhook has none. */
export interface DueDelivery extends Omit<PlacedEvent, "id"> {
  delivery_id: string;
  event_id: string;
  attempt_count: number;
  /** Of them those before its present schedule. */
  attempts_before: number;
  /** A test's event, as its receivers get it. */
  sample: object | null;
  /** Null where the event is gone. */
  is_event_there: boolean | null;
}

export interface FilledLane {
  webhook_id: string;
  fence: string;
  url: string;
  max_in_flight: number;
  environment: Environment;
  due: DueDelivery[];
}

/** How many due deliveries of a webhook are read at once. */
export const dueAtOnce = 16;

/**
 * The first due deliveries of an account's webhooks, except those `in_hand`. A webhook that this process does
 * not hold any more, or that is disabled, is missing from the result; so is each, once the process has been
 * without a heartbeat for half a lease: another one may be about to take them over.
 */
export async function readDue(
  db: Database,
  wanted: {
    account_id: string;
    webhook_ids: readonly string[];
    in_hand: readonly string[];
    process_id: string;
    lease_seconds: number;
  },
): Promise<FilledLane[]> {
  const { account_id, webhook_ids, in_hand, process_id, lease_seconds } = wanted;
  const { rows } = await sql<Omit<FilledLane, "due"> & Nullable<DueDelivery>>`
    SELECT webhooks.id AS webhook_id, webhooks.fence, webhooks.url, webhooks.max_in_flight, accounts.environment,
      each.delivery_id, each.event_id, each.attempt_count, each.attempts_before, each.sample, events.id IS NOT NULL AS is_event_there,
      events.type, events.created_at, events.subject_id, events.sequence, events.position, events.actor,
      events.request_id, events.data
    FROM webhooks JOIN accounts ON accounts.account_id = webhooks.account_id
    LEFT JOIN LATERAL (
      SELECT deliveries.id AS delivery_id, deliveries.event_id, deliveries.attempt_count, deliveries.attempts_before,
        deliveries.sample, deliveries.due_at
      FROM deliveries
      WHERE deliveries.account_id = webhooks.account_id AND deliveries.webhook_id = webhooks.id
        AND deliveries.status = 'pending' AND deliveries.due_at <= now() AND deliveries.id <> ALL(${in_hand})
      ORDER BY deliveries.due_at, deliveries.id LIMIT ${dueAtOnce}) AS each ON true
    LEFT JOIN events ON events.account_id = webhooks.account_id AND events.id = each.event_id
    WHERE webhooks.account_id = ${account_id} AND webhooks.id = ANY(${webhook_ids})
      AND webhooks.holder_id = ${process_id} AND webhooks.status = 'enabled' AND ${isReconciled}
      AND NOT ${holderIsDead("webhooks.holder_id", lease_seconds / 2)}
    ORDER BY webhooks.id, each.due_at, each.delivery_id`.execute(db);
  const byWebhook = Map.groupBy(rows, ({ webhook_id }) => webhook_id);
  return [...byWebhook.values()].map((own) => {
    const { webhook_id, fence, url, max_in_flight, environment } = own[0]!;
    const due = own.filter(({ delivery_id }) => delivery_id !== null) as DueDelivery[];
    return { webhook_id, fence, url, max_in_flight, environment, due };
  });
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** A webhook that this process holds. */
export interface HeldWebhook {
  account_id: string;
  webhook_id: string;
  fence: string;
}

/**
 * Leaves webhooks to any process, each due with its first pending delivery. What makes deliveries locks the
 * account's feed, or the webhook, before or with that: so both are locked here before the deliveries are read,
 * or one that commits meanwhile would never be due.
 */
export async function leaveWebhooks(
  db: Database,
  { process_id, held }: { process_id: string; held: readonly HeldWebhook[] },
): Promise<void> {
  const rows = () => rowsOfAccounts(held, "webhook_id text, fence bigint");
  await inTransaction(db, async (tx) => {
    // Every account here has an `event_feeds` row: a webhook is created under its lock.
    await pipelined(sql`
      SELECT FROM event_feeds WHERE account_id = ANY(${[...new Set(held.map(({ account_id }) => account_id))]})
      ORDER BY account_id FOR UPDATE`).execute(tx);
    await pipelined(sql`
      UPDATE webhooks SET holder_id = NULL FROM ${rows()} AS each
      WHERE webhooks.account_id = each.account_id AND webhooks.id = each.webhook_id
        AND webhooks.holder_id = ${process_id} AND webhooks.fence = each.fence`).execute(tx);
    await withCommit(sql`
      UPDATE webhooks SET due_at = (
        SELECT min(deliveries.due_at) FROM deliveries
        WHERE deliveries.account_id = webhooks.account_id AND deliveries.webhook_id = webhooks.id
          AND deliveries.status = 'pending')
      FROM ${rows()} AS each
      WHERE webhooks.account_id = each.account_id AND webhooks.id = each.webhook_id
        AND webhooks.holder_id IS NULL AND webhooks.fence = each.fence AND webhooks.status = 'enabled'`).execute(
      tx,
    );
  });
}
