import { exchanged, rateWithMargin, type Exchange } from "../values/exchange.ts";
import type { CapturedRate, Charged } from "./captured-rate.ts";

type Price = Pick<CapturedRate, "base_cents" | "surcharges" | "add_ons" | "currency">;

/**
 * A carrier's price in the account's currency (decision 26): base, each surcharge and each add-on converted by
 * itself, at the rate with the operator's margin. What the carrier said is kept beside it.
 */
export function convertPrice(price: Price, market: Exchange, marginPercent: number) {
  const rate = rateWithMargin(market.rate, marginPercent);
  return {
    currency: market.to,
    base_cents: exchanged(price.base_cents, rate),
    surcharges: price.surcharges.map((each) => ({
      ...each,
      amount_cents: exchanged(each.amount_cents, rate),
    })),
    add_ons: price.add_ons.map((each) => ({
      ...each,
      cost_cents: exchanged(each.cost_cents, rate),
    })),
    charged: chargedOf(price),
    exchange: { ...market, rate },
    cost_rate: market.rate,
  };
}

/**
 * A price that the carrier bills to the merchant: the account pays none of it, only the platform's fee. What
 * the carrier said is kept beside it.
 */
export function withoutPrice(price: Price, accountCurrency: string) {
  return {
    currency: accountCurrency,
    base_cents: 0,
    surcharges: [],
    add_ons: price.add_ons.map((each) => ({ ...each, cost_cents: 0 })),
    charged: chargedOf(price),
    billed_by: "carrier" as const,
  };
}

/** The amounts as the carrier said them. */
function chargedOf({ currency, base_cents, surcharges, add_ons }: Price): Charged {
  return {
    currency,
    base_cents,
    surcharges_cents: surcharges.map(({ amount_cents }) => amount_cents),
    add_ons_cents: add_ons.map(({ cost_cents }) => cost_cents),
  };
}
