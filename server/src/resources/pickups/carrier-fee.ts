import type { CarrierDescriptor } from "../../carriers/carrier.ts";
import type { Money } from "../../domain/limits/declared-value.ts";
import type { Charge } from "../../domain/pricing/captured-rate.ts";
import { exchanged } from "../../domain/values/exchange.ts";
import type { Cents } from "../../domain/values/money.ts";

/** A carrier's published fee for one pickup: what it charges, and what that is to the account. */
export interface PickupFee {
  /** In the carrier's currency. */
  charge: Charge;
  /** In the account's currency. */
  cents: Cents;
  /** By this a charge of the carrier becomes a cost in the books; absent where it is one already. */
  rate?: number;
}

/**
 * The fee in the account's currency, else in the one that the carrier bills in, converted. Null where it does no
 * pickups, or none for this currency.
 */
export function pickupFee(
  { pickups, bills_in = "" }: Pick<CarrierDescriptor, "pickups" | "bills_in">,
  { currency, exchange }: Money,
): PickupFee | null {
  const own = pickups?.fee_cents[currency];
  const amount_cents = own ?? pickups?.fee_cents[bills_in];
  if (amount_cents === undefined) return null;
  const charge = { amount_cents, currency: own === undefined ? bills_in : currency };
  if (charge.currency === currency) return { charge, cents: amount_cents };
  const found = exchange.find(charge.currency, currency);
  return found && { charge, cents: exchanged(amount_cents, found.rate), rate: found.rate };
}

/** The same where the carrier bills the merchant: the account pays nothing. */
export function billedToMerchant({ charge }: PickupFee): PickupFee {
  return { charge, cents: 0, rate: 0 };
}
