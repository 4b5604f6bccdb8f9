import { sql } from "kysely";
import { inTransaction } from "../../database/connect.ts";
import type { Database, Tx } from "../../database/tables.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { lockFeed } from "../feed/place-store.ts";
import { recordEvent } from "../outbox.ts";
import type { HeldWebhook } from "./lane-store.ts";

/** What is done about a webhook that keeps failing, by the process that holds it. */

const by = bySystem("webhooks.dispatch");

/**
 * Disables it and cancels what is pending: nothing is lost, because a replay makes it from the feed. Returns
 * false when the process does not hold the webhook any more.
 */
export async function disableWebhook(
  db: Database,
  { account_id, webhook_id, fence }: HeldWebhook,
  { reason, now }: { reason: "failing" | "gone"; now: Date },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // A placer that had read the webhook as enabled would make deliveries that are never sent.
    await lockFeed(tx, account_id);
    const { numAffectedRows } = await sql`
      UPDATE webhooks SET status = 'disabled', disabled_reason = ${reason}, due_at = NULL, holder_id = NULL,
        fence = fence + 1, updated_at = ${now}
      WHERE account_id = ${account_id} AND id = ${webhook_id} AND fence = ${fence} AND status = 'enabled'`.execute(
      tx,
    );
    if (numAffectedRows === 0n) return false;
    await cancelPending(tx, { account_id, webhook_id, now });
    const data = { webhook_id, reason };
    await recordEvent(tx, {
      account_id,
      type: "webhook.disabled",
      subject_id: webhook_id,
      data,
      by,
    });
    return true;
  });
}

const rowsAtATime = 10_000;

/**
 * Cancels every pending delivery of a webhook that is disabled or deleted. The caller holds the lock of the
 * account's feed, so that nothing is placed for the webhook meanwhile.
 */
export async function cancelPending(
  tx: Tx,
  { account_id, webhook_id, now }: { account_id: string; webhook_id: string; now: Date },
): Promise<void> {
  for (let cancelled = rowsAtATime; cancelled === rowsAtATime;) {
    // A host that answers nothing can have a hundred thousand, and a statement has a time limit.
    const { numAffectedRows } = await sql`
      UPDATE deliveries SET status = 'cancelled', due_at = NULL, ended_at = ${now}
      WHERE account_id = ${account_id} AND id = ANY (ARRAY (
        SELECT id FROM deliveries
        WHERE account_id = ${account_id} AND webhook_id = ${webhook_id} AND status = 'pending'
        LIMIT ${rowsAtATime}))`.execute(tx);
    cancelled = Number(numAffectedRows);
  }
}

/** Tells the account, once for these failures. */
export async function tellFailing(
  db: Database,
  { account_id, webhook_id, fence }: HeldWebhook,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ failing_since: Date; failure_count: number }>`
      UPDATE webhooks SET is_failing_told = true
      WHERE account_id = ${account_id} AND id = ${webhook_id} AND fence = ${fence}
        AND NOT is_failing_told AND failing_since IS NOT NULL
      RETURNING failing_since, failure_count`.execute(tx);
    const [told] = rows;
    if (!told) return;
    const failing_since = told.failing_since.toISOString();
    await recordEvent(tx, {
      account_id,
      type: "webhook.failing",
      subject_id: webhook_id,
      data: { webhook_id, failing_since, failure_count: told.failure_count },
      by,
    });
  });
}
