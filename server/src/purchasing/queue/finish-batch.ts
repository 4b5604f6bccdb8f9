import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { begunBy, originOf } from "../../domain/accounts/principal.ts";
import { fromCents } from "../../domain/values/money.ts";
import { recordEvent } from "../../events/outbox.ts";
import * as batches from "../../shipping/batches/store.ts";
import * as store from "./item-store.ts";
import { tidyQueue } from "./run-queue.ts";

/**
 * The upkeep of batches: dead processes' items are taken over, purchases with an unknown outcome end as their
 * attempts do, and the batch itself ends once, when its last item has.
 */
export async function tidyBatches(platform: Platform): Promise<boolean> {
  const { db, config } = platform;
  const isMore = await tidyQueue<store.Outcome>(platform, {
    takeOver: () => store.takeOverItems(db, config.lease_seconds),
    list: (limit) => store.accountsWithOutcomes(db, limit),
    lock: store.lockOutcomes,
    end: store.endPending,
  });
  for (const { account_id, batch_id } of await store.listFinished(db))
    await finishBatch(platform, account_id, batch_id);
  return isMore;
}

/**
 * Ends the batch if nothing of it is left to do: exactly once for each run, however many workers find that
 * out at once, because only the one that locked it while it was processing ends it.
 */
export async function finishBatch(
  platform: Platform,
  accountId: string,
  batchId: string,
): Promise<void> {
  if (await store.hasUnfinished(platform.db, accountId, batchId)) return;
  await inTransaction(platform.db, async (tx) => {
    const batch = await batches.lockBatch(tx, accountId, batchId);
    if (batch.status !== "processing") return;
    // Checked again under the lock: another run may have begun since.
    if (await store.hasUnfinished(tx, accountId, batchId)) return;
    await end(platform, tx, batch);
  });
}

async function end({ clock }: Platform, tx: Tx, batch: batches.BatchRow): Promise<void> {
  const { account_id, id } = batch;
  const counts = await batches.countItems(tx, account_id, id);
  const status = counts.error_count === 0 ? "completed" : "completed_with_errors";
  const now = clock.now();
  const combine_at = counts.success_count > 0 ? now : null;
  await batches.moveBatch(tx, batch, { status, ...counts, processed_at: now, combine_at });
  const { success_count, error_count, total_cost_cents } = counts;
  await recordEvent(tx, {
    account_id,
    type: "batch.completed",
    subject_id: id,
    data: {
      batch_id: id,
      status,
      previous_status: batch.status,
      shipment_count: batch.shipment_ids.length,
      success_count,
      error_count,
      total: fromCents(total_cost_cents),
      currency: await store.currencyOf(tx, account_id),
    },
    by: originOf(begunBy(batch, "batches.run")),
  });
}
