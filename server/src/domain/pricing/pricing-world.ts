import type { CapturedRate } from "./captured-rate.ts";
import { priceRate } from "./pricing.ts";
import { defaultPricingSettings, type PricingSettings } from "./pricing-settings.ts";
import type { AddOnCode } from "./rate.ts";

/** Test data of prices: one rate within Ontario, and an account without margins. */

const now = new Date("2026-10-05T12:00:00Z");

export const captured: CapturedRate = {
  id: "rat_01k6w0000000000000000000aa",
  expires_at: "2026-10-05T12:30:00.000Z",
  estimated: false,
  carrier: { code: "canada_post", name: "Canada Post", scac: null },
  service: "canada_post.expedited",
  service_name: "Expedited Parcel",
  postage_type_id: 102,
  package_type: "parcel",
  trackable: true,
  pickup_supported: true,
  currency: "CAD",
  base_cents: 1000,
  surcharges: [{ code: "fuel", name: "Fuel", amount_cents: 200 }],
  add_ons: [
    { code: "protection", cost_cents: 90, required: false },
    { code: "signature", cost_cents: 150, required: false },
  ],
  declared_value_cents: 20_000,
  taxed_lane: { from_country_code: "CA", to_country_code: "CA", to_province_code: "ON" },
  estimated_delivery_days: 3,
  estimated_delivery_date: "2026-10-08",
  billable_weight: { value: 1.2, unit: "kg", basis: "actual" },
  zone: "4",
};

/** No margin anywhere, unless the test sets one. */
export function settings(given: Partial<PricingSettings> = {}): PricingSettings {
  const none = { percent: 0, fixed: 0 };
  return {
    ...defaultPricingSettings,
    margins: { retail: none, standard: none, enterprise: none },
    ...given,
  };
}

export const price = (
  pricing: PricingSettings,
  addOns: readonly AddOnCode[] = [],
  rate: CapturedRate = captured,
) => priceRate(rate, { settings: pricing, add_ons: addOns, now });
