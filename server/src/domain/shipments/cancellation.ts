import { fromCents, type Cents } from "../values/money.ts";
import type { FreightCancellation } from "../goods/freight.ts";

/** The part of a price that stays paid, or that is refunded. */
export interface Share {
  subtotal_cents: Cents;
  tax_cents: Cents;
  total_cents: Cents;
}

/**
 * What an account still pays for a booking that was cancelled at this fee (decision 9): the fee, and no
 * more than the price. It has the price's share of tax in it, because the part kept of the payment for
 * a cancelled supply is itself taxed (Excise Tax Act of Canada, s. 182). The rest is refunded.
 */
export function keptOf(price: Share, feeCents: Cents): Share {
  const total_cents = Math.min(feeCents, price.total_cents);
  const tax_cents =
    price.total_cents === 0 ? 0 : Math.round((total_cents * price.tax_cents) / price.total_cents);
  return { subtotal_cents: total_cents - tax_cents, tax_cents, total_cents };
}

/** As the API shows it. */
export function toCancellation({ carrier_confirmation, fee_cents }: FreightCancellation) {
  return { status: "cancelled" as const, carrier_confirmation, fee: fromCents(fee_cents) };
}
