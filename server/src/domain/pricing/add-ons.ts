import type { CapturedRate } from "./captured-rate.ts";
import { ApiError } from "../errors/errors.ts";
import { percentOf, toCents, type Cents } from "../values/money.ts";
import type { Margin, Protection } from "./pricing-settings.ts";
import type { AddOnCode } from "./rate.ts";

/** The optional extras of a rate and their price for the client (decision 7). */

export const addOnTexts: Record<AddOnCode, { name: string; description: string }> = {
  protection: {
    name: "Protection",
    description: "Covers loss and damage up to the declared value.",
  },
  signature: {
    name: "Signature",
    description: "Somebody signs for the delivery.",
  },
  adult_signature: {
    name: "Adult signature",
    description: "Somebody of legal age signs for the delivery and may have to show a document.",
  },
  saturday_delivery: {
    name: "Saturday delivery",
    description: "Delivery on a Saturday, where that is the day of arrival.",
  },
};

export interface PricedAddOn {
  code: AddOnCode;
  required: boolean;
  selected: boolean;
  /** Before tax. */
  price_cents: Cents;
}

/**
 * The add-ons of a rate at one tier's settings. Protection is Waybill's own product, priced by the
 * declared value; the others cost the carrier's price plus the margin's percent. A margin's fixed
 * part is for the label, not for each extra. Add-ons that the carrier requires are always selected.
 */
export function priceAddOns(
  rate: CapturedRate,
  terms: { margin: Margin; protection: Protection },
  selected: readonly AddOnCode[],
): PricedAddOn[] {
  return rate.add_ons.map(({ code, cost_cents, required }) => ({
    code,
    required,
    selected: required || selected.includes(code),
    price_cents:
      code === "protection"
        ? protectionCents(rate.declared_value_cents, terms.protection)
        : cost_cents + percentOf(cost_cents, terms.margin.percent),
  }));
}

function protectionCents(declaredValueCents: Cents, protection: Protection): Cents {
  const share = percentOf(declaredValueCents, protection.percent);
  return Math.max(share, toCents(protection.minimum));
}

/** Throws 422 `unserviceable` for a chosen add-on that the rate does not offer. */
export function assertOffered(rate: CapturedRate, selected: readonly AddOnCode[]): void {
  const offered = rate.add_ons.map((addOn) => addOn.code);
  const missing = selected.find((code) => !offered.includes(code));
  if (missing === undefined) return;
  throw new ApiError("unserviceable", {
    message: `${rate.service_name} does not offer the add-on ${missing} for this shipment.`,
    details: { service: rate.service, add_on: missing, offered_add_ons: offered },
  });
}
