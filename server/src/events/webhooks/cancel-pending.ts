import { sql } from "kysely";
import type { Tx } from "../../database/tables.ts";
import type { WebhookKey } from "./secrets.ts";

const rowsAtATime = 10_000;

/**
 * Cancels what a webhook has pending, for one that is disabled or deleted. The caller holds the lock of the
 * account's row in `event_feeds`, so that no event is placed for the webhook meanwhile.
 */
export async function cancelPending(tx: Tx, { account_id, webhook_id }: WebhookKey): Promise<void> {
  for (let cancelled = rowsAtATime; cancelled === rowsAtATime;) {
    // A host that answers nothing can have a hundred thousand: each statement has its own time limit.
    const { numAffectedRows } = await sql`
      UPDATE deliveries SET status = 'cancelled', ended_at = now()
      WHERE account_id = ${account_id} AND id = ANY (ARRAY (
        SELECT id FROM deliveries
        WHERE account_id = ${account_id} AND webhook_id = ${webhook_id} AND status = 'pending'
        LIMIT ${rowsAtATime}))`.execute(tx);
    cancelled = Number(numAffectedRows);
  }
}
