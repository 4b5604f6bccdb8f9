import type { CarrierQuote, CarrierRate } from "../carrier.ts";

/** A price as the carrier states it, before it is known which service of ours it is for. */
type Priced = Pick<CarrierRate, "price_basis">;

/**
 * The quote of an account whose own prices were asked for, as far as it may be sold: a carrier that does not know the
 * account as one with a contract answers with its published prices, without an error. Where none of all the prices that it
 * `stated` is negotiated, those services are excluded. Beside negotiated prices a published one is the account's:
 * contracts and discounts cover a part of the services (UPS's and USPS's documents).
 */
export function refusePublished(
  { rates, unavailable }: CarrierQuote,
  { stated, carrier_name }: { stated: readonly Priced[]; carrier_name: string },
): CarrierQuote {
  if (stated.some(({ price_basis }) => price_basis === "negotiated")) return { rates, unavailable };
  const message = `${carrier_name} answered with published prices, not with the account's own.`;
  const published = rates.filter(({ price_basis }) => price_basis === "published");
  return {
    rates: rates.filter(({ price_basis }) => price_basis !== "published"),
    unavailable: [
      ...unavailable,
      ...published.map(({ service }) => ({
        service,
        reason: "carrier_credentials_invalid" as const,
        message,
      })),
    ],
  };
}
