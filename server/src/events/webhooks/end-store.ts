import { sql } from "kysely";
import { inTransaction } from "../../database/connect.ts";
import { pipelined, withCommit } from "../../database/driver/sending.ts";
import { rowsOfAccounts } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import type { WebhookHealth } from "../../domain/events/webhook-health.ts";
import type { HeldWebhook } from "./lane-store.ts";

/** The end of an attempt at a delivery. */
export interface AttemptEnd extends HeldWebhook {
  delivery_id: string;
  /** Of the attempt, from 1. */
  number: number;
  at: Date;
  ms: number;
  status: number | null;
  error: string | null;
  excerpt: string | null;
  /** What becomes of the delivery. */
  becomes: "delivered" | "failed" | "pending";
  /** Until the next attempt of a delivery that stays pending. */
  wait_seconds: number | null;
  ended_at: Date | null;
  /** Of the webhook, with this end. */
  health: WebhookHealth;
}

const columns = `webhook_id text, fence bigint, delivery_id text, number int, at timestamptz, ms int, status int, error text,
  excerpt text, becomes text, wait_seconds float8, ended_at timestamptz`;

/**
 * Writes any number of ends, of any accounts. A 2xx counts from any process; a failure counts only while
 * this process holds the webhook, because the next holder sends the delivery again by itself. May be repeated
 * when its response was lost.
 */
export async function writeEnds(
  db: Database,
  process_id: string,
  ends: readonly AttemptEnd[],
): Promise<void> {
  const rows = rowsOfAccounts(ends, columns);
  await inTransaction(db, async (tx) => {
    // First, so that no other process takes the webhooks over before the commit.
    await pipelined(sql`
      UPDATE webhooks SET failing_since = each.failing_since, failure_count = each.failure_count,
        is_failing_told = webhooks.is_failing_told AND each.failing_since IS NOT NULL,
        last_success_at = greatest(webhooks.last_success_at, each.last_success_at)
      FROM ${healthRows(ends)} AS each
      WHERE webhooks.account_id = each.account_id AND webhooks.id = each.webhook_id
        AND (webhooks.fence = each.fence OR each.failing_since IS NULL)`).execute(tx);
    await pipelined(sql`
      INSERT INTO delivery_attempts (account_id, at, delivery_id, number, ms, status, error, response_excerpt)
      SELECT account_id, at, delivery_id, number, ms, status, error, excerpt FROM ${rows} AS each
      ON CONFLICT DO NOTHING`).execute(tx);
    await withCommit(sql`
      UPDATE deliveries SET status = each.becomes, attempt_count = greatest(deliveries.attempt_count, each.number),
        due_at = now() + make_interval(secs => each.wait_seconds), ended_at = each.ended_at,
        last_status = each.status, last_error = each.error, last_ms = each.ms
      FROM ${rows} AS each
      WHERE deliveries.account_id = each.account_id AND deliveries.id = each.delivery_id
        AND deliveries.status = 'pending' AND (each.becomes = 'delivered'
          OR deliveries.attempt_count < each.number AND EXISTS (
            SELECT FROM webhooks
            WHERE webhooks.account_id = deliveries.account_id AND webhooks.id = deliveries.webhook_id
              AND webhooks.fence = each.fence AND webhooks.holder_id = ${process_id}))`).execute(
      tx,
    );
  });
}

/** The state of each webhook after the last of its ends. */
function healthRows(ends: readonly AttemptEnd[]) {
  const last = new Map(ends.map((end) => [`${end.account_id} ${end.webhook_id}`, end]));
  const rows = [...last.values()].map(({ account_id, webhook_id, fence, health }) => ({
    account_id,
    webhook_id,
    fence,
    ...health,
  }));
  return rowsOfAccounts(
    rows,
    "webhook_id text, fence bigint, failing_since timestamptz, failure_count int, last_success_at timestamptz",
  );
}
