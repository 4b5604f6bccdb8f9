import { percentOf } from "../../../domain/values/money.ts";
import { Refusal } from "../refusal.ts";
import { priceRisePercent, steeringOf } from "../steering.ts";
import { checkQuoteNumber } from "./quote-numbers.ts";
import { freightCost, priceFreight } from "./rating/price-freight.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";
import type { WireBookingRequest } from "./wire.ts";

/**
 * The price of a booking. Refuses a service that is not offered, an invalid quote, or a price above the
 * expected one.
 */
export function agreedPrice(
  tariff: FreightTariff,
  request: WireBookingRequest,
  { seed, now }: { seed: string; now: Date },
): { amount_cents: number; currency: string } {
  const { expected_cost, service_code, recipient, quote_number } = request;
  const { currency } = expected_cost;
  const { carrier } = tariff;
  const steering = steeringOf(recipient, carrier);
  if (steering.refuse) {
    throw new Refusal(422, "shipment_refused", "The carrier refuses this shipment (sim:refuse).");
  }
  const consignment = { ...request, currency };
  const priced = priceFreight(tariff, service_code, consignment);
  if ("unavailable" in priced) {
    throw new Refusal(422, priced.unavailable.code, priced.unavailable.message);
  }
  const { rate } = priced;
  checkQuoteNumber(quote_number, { carrier, seed, rate, consignment }, now);
  const cost = freightCost(rate);
  const amount_cents = cost + (steering.price_up ? percentOf(cost, priceRisePercent) : 0);
  if (amount_cents > expected_cost.amount_cents) {
    const message = "The price is higher than expected; nothing was booked.";
    throw new Refusal(409, "price_changed", message, { actual_cost: { amount_cents, currency } });
  }
  return { amount_cents, currency };
}
