import type { AccountContext } from "../../context.ts";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { firstOfGroup, isId, newId, numberedId } from "../../domain/values/ids.ts";
import { exclusionOf } from "../../domain/rules/rule-effects.ts";
import { quoteDigest } from "./quote-digest.ts";
import { validMinutes, type QuotableShipment } from "./quote-shipment.ts";
import * as store from "./store.ts";

/**
 * Rates of `POST /rates`: quoted for data without a shipment, and bought for a shipment with the same data.
 */

/** Stores them for as long as they may be bought; returns them with their ids. */
export async function storeQuote(
  ctx: AccountContext,
  shipment: QuotableShipment,
  captured: readonly CapturedRate[],
): Promise<CapturedRate[]> {
  const now = ctx.clock.now();
  const id = firstOfGroup(newId("rat", now));
  const rates = captured.map((each, place) => ({ ...each, id: numberedId(id, place) }));
  if (rates.length > 0) {
    const valid_ms = validMinutes(ctx.config, shipment.type) * 60_000;
    await store.insertQuote(ctx.db, {
      account_id: ctx.account.account_id,
      id,
      digest: quoteDigest(shipment),
      rates,
      expires_at: new Date(now.getTime() + valid_ms),
    });
  }
  return rates;
}

/** A rate that may still be bought for a shipment without rates of its own, and the data that it was quoted for. */
interface FoundRate {
  rate: CapturedRate;
  digest: string;
}

/** Null for an unknown or expired one. */
export async function findRate(ctx: AccountContext, rateId: string): Promise<FoundRate | null> {
  if (!isId("rat", rateId)) return null;
  const key = { account_id: ctx.account.account_id, id: firstOfGroup(rateId) };
  const quote = await store.findUnattachedQuote(ctx.db, key, ctx.clock.now());
  const rate = quote?.rates.find(({ id }) => id === rateId);
  return quote && rate ? { rate, digest: quote.digest } : null;
}

/** What is said at `rate_id` of one that is not found. */
export const noRate = "is no rate that is valid now; ask for the rates again.";

/**
 * The rate with that id, if it was quoted for a shipment that is priced as this one is. Throws 422 at
 * `rate_id` for an unknown or expired one; 409 `rate_changed` for one of other data; and 422 `unserviceable`
 * where the account or its rules do not let the service be bought.
 */
export async function quotedRate(
  ctx: AccountContext,
  shipment: QuotableShipment,
  rateId: string,
): Promise<CapturedRate> {
  const found = await findRate(ctx, rateId);
  if (!found) throw invalid({ rate_id: [noRate] });
  refuseUnlessFor(ctx, shipment, found);
  return found.rate;
}

/** Throws where this shipment cannot be bought at the rate, as `quotedRate` does. */
export function refuseUnlessFor(
  { account: { settings } }: AccountContext,
  shipment: QuotableShipment,
  { rate, digest }: FoundRate,
): void {
  const { id: rate_id, service } = rate;
  if (digest !== quoteDigest(shipment))
    throw new ApiError("rate_changed", {
      message: "The rate was quoted for other data than this shipment's; nothing was bought.",
      details: { service, rate_id },
    });
  const rule = exclusionOf(shipment.rule_terms, { carrier: rate.carrier.code, service });
  if (rule || settings.disabled_services.includes(service)) {
    const reason = rule ? "filtered_by_rule" : "service_disabled";
    throw new ApiError("unserviceable", { details: { service, reason, retryable: false } });
  }
}
