import type { AccountContext, Context } from "../../context.ts";
import { throwIfAny } from "../../domain/errors/errors.ts";
import { refuseMissedPickup } from "../../domain/shipments/freight-rules.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import type { StoredResponse } from "../../http/idempotency.ts";
import { primaryQuote, type Quoted } from "../quotes/primary-quote.ts";
import type { ReadyRule } from "../../domain/rules/run-rules.ts";
import { ruleBeforePurchase } from "../../automation/rule-before-purchase.ts";
import { readRatesFor } from "../../shipping/exchange-rates/exchange-book.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { buyAtQuote, rateChanged } from "./buy-at-quote.ts";
import { refuseUnlessBuyable } from "./buyable.ts";
import { choiceProblems } from "./choice.ts";
import { readToBuy } from "./read-to-buy.ts";
import type { BuyLabel } from "./schemas.ts";

/**
 * Buys the label of one shipment at the account's primary quoted rate (spec 4.14, decision 8). One shipment
 * has at most one live label, with or without a key: 409 `already_labelled`. Waybill's own refusals (402,
 * 409, 422) write nothing; the carrier's refusal releases the money and answers 502; an unknown outcome
 * answers 409 `purchase_pending` while recovery looks it up.
 */
export async function buyLabel(
  ctx: Context,
  shipmentId: string,
  choice: BuyLabel,
): Promise<StoredResponse> {
  const { row: found, rules, quote } = await readToBuy(ctx, shipmentId);
  throwIfAny(choiceProblems(ctx, found.type, choice));
  refuseUnlessBuyable(found);
  // A draft may be so old that its pickup date has passed.
  refuseMissedPickup(found, ctx.clock.now());
  const row = await readyToBuy(ctx, found, rules);
  const quoted = await primaryQuote(ctx, row, choice, quote);
  guardPrice(quoted, choice.expected_total);
  const idempotency_key = ctx.claim?.key ?? null;
  return buyAtQuote(ctx, { row, quoted, choice, idempotency_key });
}

/**
 * Every purchase passes this function before any carrier is asked for a price: it returns the shipment as the
 * account's rules leave it. Throws like `buyLabel`, and 422 `rejected_by_rule`.
 */
export async function readyToBuy(
  ctx: AccountContext,
  row: ShipmentRow,
  rules: readonly ReadyRule[],
): Promise<ShipmentRow> {
  refuseUnlessBuyable(row);
  await readRatesFor(ctx, row.packages);
  const ruled = await ruleBeforePurchase(ctx, row, rules);
  refuseUnlessBuyable(ruled);
  return ruled;
}

function guardPrice(quoted: Quoted, expectedTotal: number | null | undefined): void {
  if (expectedTotal === null || expectedTotal === undefined) return;
  const { total_cents } = quoted.cost;
  if (total_cents > toCents(expectedTotal)) {
    throw rateChanged(quoted, { expected_total: expectedTotal, total: fromCents(total_cents) });
  }
}
