import { Type, type Static } from "typebox";
import { Money, OneOf } from "../values/schema.ts";

/** How an account's prices are computed from its carriers' costs (decision 7): part of its settings. */

export const tiers = ["retail", "standard", "enterprise"] as const;
export type Tier = (typeof tiers)[number];

/** Never negative: no setting can price a label below its cost. `fixed` is in the account's currency. */
const margin = {
  percent: Type.Number({ minimum: 0, maximum: 200 }),
  fixed: Money({ minimum: 0, maximum: 1000, description: "Added once to each rate." }),
};
const Margin = Type.Object(margin);
export type Margin = Static<typeof Margin>;

/** The most specific margin replaces the others whole: the service's, the carrier's, the tier's. */
const TierMargin = Type.Object({
  ...margin,
  carriers: Type.Optional(Type.Record(Type.String(), Margin)),
  services: Type.Optional(Type.Record(Type.String(), Margin)),
});
type TierMargin = Static<typeof TierMargin>;

/** The price of protection: a share of the declared value, at least the minimum. */
const Protection = Type.Object({
  percent: Type.Number({ minimum: 0, maximum: 100 }),
  minimum: Money({ minimum: 0, maximum: 1000 }),
});
export type Protection = Static<typeof Protection>;

export const PricingSettings = Type.Object(
  {
    tier: OneOf(tiers, { description: "The tier whose prices the account pays." }),
    show_tier_rates_api: Type.Boolean({ description: "Whether rates carry tier_pricing." }),
    margins: Type.Object({ retail: TierMargin, standard: TierMargin, enterprise: TierMargin }),
    protection: Type.Object({ retail: Protection, standard: Protection, enterprise: Protection }),
  },
  { $id: "PricingSettings" },
);
export type PricingSettings = Static<typeof PricingSettings>;

const protection: Protection = { percent: 1.5, minimum: 1 };

export const defaultPricingSettings: PricingSettings = {
  tier: "standard",
  show_tier_rates_api: false,
  margins: {
    retail: { percent: 20, fixed: 0 },
    standard: { percent: 10, fixed: 0 },
    enterprise: { percent: 5, fixed: 0 },
  },
  protection: { retail: protection, standard: protection, enterprise: protection },
};

/**
 * The margin of the service (`carrier.service`), else of its carrier, else of the tier: one of them, never their
 * sum. In percent, and `fixed` in the account's currency.
 */
export function marginFor(margins: TierMargin, rate: { carrier: string; service: string }): Margin {
  return margins.services?.[rate.service] ?? margins.carriers?.[rate.carrier] ?? margins;
}
