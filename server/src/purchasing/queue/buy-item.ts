import type { AccountContext } from "../../context.ts";
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
import { noteAttempts, type ClaimedItem, type Run } from "./item-store.ts";

/**
 * Buys the label of one shipment of a batch, as `POST /labels` does, and says how that ended; null when
 * the item turned out to be another process's. The service is the shipment's own, a strategy of its
 * own, or the one that the batch was processed with. Never throws.
 */
export async function buyItem(
  ctx: AccountContext,
  run: Run,
  item: ClaimedItem,
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
      note: { of: { item, process_id: ctx.process_id }, writeAll: noteAttempts },
    });
    return { status: "succeeded", cost_cents: quoted.cost.total_cents };
  } catch (error) {
    if (isRefused(error, "item_lost")) return null;
    if (!(error instanceof ApiError))
      ctx.log.error({ shipment_id: item.shipment_id, err: error }, "batch.item_failed");
    return outcomeOf(error, { ...job, now: ctx.clock.now() });
  }
}

/** The shipment, if it is there and still the batch's to buy. */
function member({ shipment: row, batch_id }: ClaimedItem): ShipmentRow {
  if (!row) throw notFound();
  refuseUnlessBuyable(row);
  // It failed here once, and was put into another batch since.
  if (row.batch_id !== batch_id)
    throw new ApiError("shipment_in_use", { details: { batch_id: row.batch_id } });
  return row;
}
