import type { CarrierQuote, CarrierRate, UnavailableService } from "../carriers/carrier.ts";
import type { CapturedRate } from "../domain/pricing/captured-rate.ts";
import { exclusionReasons } from "../domain/pricing/rate.ts";
import type { Exclusion } from "../domain/limits/service-limits.ts";
import { capture, isSound, type Capture } from "./capture.ts";

/** The outcome of one service: a rate, or the reason why there is none. Never both, never neither. */
export type Outcome = { rate: CapturedRate } | { exclusion: Exclusion };

/**
 * The outcome of one service in a carrier's response. The carrier must mention each service once; one that it
 * does not mention has no rate on this lane, and one that it mentions twice is contradictory, which is an
 * error like an impossible price.
 */
export function readAnswer(answer: CarrierQuote, about: Capture): Outcome {
  const { carrier, service } = about;
  const rates = entriesFor<CarrierRate>(answer?.rates, service.code);
  const refusals = entriesFor<UnavailableService>(answer?.unavailable, service.code);
  if (!rates || !refusals) {
    return no("carrier_error", `${carrier.name} sent an answer that cannot be read.`);
  }
  if (rates.length + refusals.length > 1) {
    return no("carrier_error", `${carrier.name} answered twice for ${service.name}.`);
  }
  if (refusals[0]) return readRefusal(refusals[0], about);
  if (rates[0]) return readRate(rates[0], about);
  return no("no_rate_for_lane", `${carrier.name} offers no rate for ${service.name} on this lane.`);
}

/** Whether a price in the response is in another currency. */
export function hasOtherCurrency(answer: CarrierQuote, currency: string): boolean {
  const rates: unknown = answer?.rates;
  return (
    Array.isArray(rates) &&
    rates.some((rate: CarrierRate | null | undefined) => rate?.currency !== currency)
  );
}

/** The services in a response that were not asked for: ignored, and logged. */
export function unaskedServices(answer: CarrierQuote, asked: readonly string[]): string[] {
  const entries: unknown[] = [answer?.rates, answer?.unavailable].filter(Array.isArray).flat();
  const mentioned = entries.map((entry) => {
    const service: unknown = (entry as CarrierRate | null | undefined)?.service;
    return typeof service === "string" ? service : "(none)";
  });
  return mentioned.filter((service) => !asked.includes(service));
}

function readRate(rate: CarrierRate, about: Capture): Outcome {
  const { carrier, service, input } = about;
  if (!isSound(rate, about)) {
    return no("carrier_error", `${carrier.name} sent an impossible price for ${service.name}.`);
  }
  const captured = capture(rate, about);
  if (!captured) {
    const message =
      `${carrier.name} quoted in ${rate.currency}; the account pays in ${input.currency}, ` +
      "and there is no exchange rate between the two.";
    return no("currency_not_supported", message);
  }
  const offered = captured.add_ons.map((addOn) => addOn.code);
  const missing = input.add_ons.find((code) => !offered.includes(code));
  if (missing !== undefined) {
    const message = `${service.name} does not offer the add-on ${missing} on this lane.`;
    return no("option_not_supported", message);
  }
  return { rate: captured };
}

function readRefusal(refusal: UnavailableService, { carrier, service }: Capture): Outcome {
  const { reason, message } = refusal;
  if (exclusionReasons.includes(reason) && typeof message === "string" && message !== "") {
    return no(reason, message);
  }
  return no("carrier_error", `${carrier.name} refused ${service.name} without a reason.`);
}

function entriesFor<E extends { service: string }>(list: unknown, service: string): E[] | null {
  if (!Array.isArray(list)) return null;
  return (list as (E | null | undefined)[]).filter(
    (entry): entry is E => entry?.service === service,
  );
}

function no(reason: Exclusion["reason"], message: string): Outcome {
  return { exclusion: { reason, message } };
}
