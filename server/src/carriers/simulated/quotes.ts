import { Compile } from "typebox/compile";
import { toCents } from "../../domain/values/money.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { toCentimetres, toGrams } from "../../domain/goods/units.ts";
import type {
  CarrierQuote,
  CarrierRate,
  CarrierService,
  ExclusionReason,
  QuoteRequest,
  UnavailableService,
} from "../carrier.ts";
import { noRate, unreadable } from "../protocol/read-rate.ts";
import {
  WireRate,
  WireUnavailable,
  type WirePackage,
  type WireQuoteRequest,
  type refusalCodes,
} from "../simulator/wire.ts";

/** Quotes: the domain request in the simulator's format, and its response in the domain's. No I/O. */

/** Longer than any wait for rates (25 s, spec 8): the caller's deadline ends a quote, not this timeout. */
export const quoteTimeoutMs = 30_000;

/** The account's currency when the caller names none (decision 1). */
export const defaultCurrency = "CAD";

export function toQuoteRequest(
  { shipment, currency }: QuoteRequest,
  services: readonly CarrierService[],
): WireQuoteRequest {
  return {
    ship_date: shipment.ship_date,
    sender: shipment.from_address,
    recipient: shipment.to_address,
    packages: shipment.packages.map(toWirePackage),
    currency: currency ?? defaultCurrency,
    service_codes: services.map(({ carrier_service_code }) => carrier_service_code),
  };
}

export function toWirePackage(parcel: Package): WirePackage {
  const { size_unit, declared_value, currency } = parcel;
  const centimetres = (side: number | null) =>
    side === null || size_unit === null ? null : toCentimetres(side, size_unit);
  return {
    weight_grams: toGrams(parcel.weight, parcel.weight_unit),
    length_cm: centimetres(parcel.length),
    width_cm: centimetres(parcel.width),
    height_cm: centimetres(parcel.height),
    package_type: parcel.package_type,
    contents: parcel.package_contents,
    declared_value:
      declared_value === null
        ? null
        : { amount_cents: toCents(declared_value), currency: currency ?? defaultCurrency },
  };
}

const rateShape = Compile(WireRate);

/** How one entry of a response is read: the only difference between parcels' rates and freight's. */
export interface RateReader<Rate extends { currency: string }> {
  isReadable(entry: unknown): entry is Rate;
  toRate(service: CarrierService, rate: Rate): CarrierRate;
}

export const parcelRates: RateReader<WireRate> = {
  isReadable: (entry) => rateShape.Check(entry),
  toRate,
};

interface QuoteResponse {
  rates: readonly unknown[];
  unavailable: readonly unknown[];
}

const unavailableShape = Compile(WireUnavailable);

/**
 * Each requested service exactly once, whatever the carrier sent: the first readable entry of a service
 * counts, one that only has unreadable entries is `carrier_error`, one without any entry is
 * `no_rate_for_lane`, and services that were not requested are dropped.
 */
export function fromQuoteResponse<Rate extends { currency: string }>(
  answer: QuoteResponse,
  asked: { services: readonly CarrierService[]; currency: string },
  reader: RateReader<Rate>,
): CarrierQuote {
  const quote: CarrierQuote = { rates: [], unavailable: [] };
  for (const service of asked.services) {
    const isOwn = isAbout(service.carrier_service_code);
    const rate = answer.rates.filter(isOwn).find((entry) => reader.isReadable(entry));
    if (rate) quote.rates.push(reader.toRate(service, rate));
    else quote.unavailable.push(whyNot(service, answer));
  }
  return quote;
}

function isAbout(serviceCode: string): (entry: unknown) => boolean {
  return (entry) => (entry as { service_code?: unknown } | null)?.service_code === serviceCode;
}

export function toRate(service: CarrierService, rate: WireRate): CarrierRate {
  return {
    service: service.code,
    currency: rate.currency,
    base_cents: rate.base_cents,
    surcharges: rate.surcharges,
    add_ons: rate.extras.map(({ code, amount_cents }) => ({
      code,
      cost_cents: amount_cents,
      required: false,
    })),
    estimated_delivery_days: rate.transit_days,
    estimated_delivery_date: rate.delivery_date,
    billable_weight: rate.billable_weight,
    zone: rate.zone,
  };
}

const reasons: Readonly<Record<(typeof refusalCodes)[number], ExclusionReason>> = {
  service_unknown: "carrier_error",
  lane_not_served: "no_rate_for_lane",
  weight_exceeded: "weight_limit_exceeded",
  accessorial_not_offered: "accessorial_not_supported",
};

function whyNot(service: CarrierService, answer: QuoteResponse): UnavailableService {
  const isOwn = isAbout(service.carrier_service_code);
  const entries = [...answer.rates, ...answer.unavailable].filter(isOwn);
  const refusal = entries.find((entry): entry is WireUnavailable => unavailableShape.Check(entry));
  if (refusal) {
    return { service: service.code, reason: reasons[refusal.code], message: refusal.message };
  }
  return entries.length > 0 ? unreadable(service) : noRate(service);
}
