import type { AccountContext, Platform } from "../../context.ts";
import { isRefused } from "../../database/refusals.ts";
import { ApiError, invalid, notFound, throwIfAny } from "../../domain/errors/errors.ts";
import { buyAtQuote } from "../labels/buy-at-quote.ts";
import { readyToBuy } from "../labels/buy-label.ts";
import { refuseUnlessBuyable } from "../labels/buyable.ts";
import { primaryQuote } from "../quotes/primary-quote.ts";
import { purchaseRules } from "../../automation/rule-before-purchase.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { problemsOfStored } from "../../shipping/shipments/stored-entry.ts";
import { outcomeOf, type PurchaseOutcome, type PurchaseJob } from "../labels/purchase-outcome.ts";
import { finishBatch } from "./finish-batch.ts";
import * as store from "./item-store.ts";
import type { PurchaseQueue } from "./queue.ts";

/** The labels of every batch that is being processed: a batch is a source, and its items are the jobs. */
export function batchQueue(platform: Platform): PurchaseQueue<store.Run, store.ClaimedItem> {
  const { db, process_id, config } = platform;
  return {
    name: "batch",
    places: { all: config.batch_items_max, of_account: config.batch_account_items_max },
    list: () => store.listRuns(db),
    idOf: ({ batch_id }) => batch_id,
    claim: ({ account_id, batch_id }, limit) =>
      store.claimItems(db, { account_id, batch_id, process_id, limit }),
    releaseLost: () => store.releaseLost(db, process_id),
    // `batches.actor` names who had it processed.
    begunBy: ({ batch_id, request_id }) => ({
      principal: { kind: "batch", id: batch_id },
      request_id,
    }),
    buy: buyItem,
    end: (ended) => store.endItems(db, process_id, ended),
    leave: ({ account_id, batch_id }) => finishBatch(platform, account_id, batch_id),
  };
}

/**
 * Buys the label of one shipment of a batch, as `POST /labels` does. The service is the shipment's own, a strategy of
 * its own, or the one that the batch was processed with.
 */
async function buyItem(
  ctx: AccountContext,
  run: store.Run,
  item: store.ClaimedItem,
): Promise<PurchaseOutcome | null> {
  const job: Omit<PurchaseJob, "now"> = { stage: "validation", carrier: null, tries: item.tries };
  try {
    const row = await readyToBuy(ctx, member(item), await purchaseRules(ctx, "batch"));
    throwIfAny(problemsOfStored(ctx, row));
    const service = row.service ?? run.service;
    if (!service)
      throw invalid({ service: ["is required: name it on the shipment or the batch."] });
    job.carrier = ctx.carriers.findService(service)?.carrier.descriptor.code ?? null;
    job.stage = "rating";
    const quoted = await primaryQuote(ctx, row, { service });
    job.carrier = quoted.carrier;
    job.stage = "purchase";
    await buyAtQuote(ctx, {
      row,
      quoted,
      choice: { label_format: run.label_format, label_size: run.label_size },
      idempotency_key: null,
      note: { of: { item, process_id: ctx.process_id }, writeAll: store.noteAttempts },
    });
    return { status: "succeeded", cost_cents: quoted.cost.total_cents };
  } catch (error) {
    if (isRefused(error, "item_lost")) return null;
    if (!(error instanceof ApiError))
      ctx.log.error({ shipment_id: item.shipment_id, err: error }, "batch.item_failed");
    return outcomeOf(error, { ...job, now: ctx.clock.now() });
  }
}

/** The shipment, if it exists and this batch may still purchase for it. */
function member({ shipment: row, batch_id }: store.ClaimedItem): ShipmentRow {
  if (!row) throw notFound();
  refuseUnlessBuyable(row);
  // It failed in this batch, and has been added to another one since.
  if (row.batch_id !== batch_id)
    throw new ApiError("shipment_in_use", { details: { batch_id: row.batch_id } });
  return row;
}
