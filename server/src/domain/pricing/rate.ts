import { Type, type Static } from "typebox";
import { handlingUnitTypes, Accessorial } from "../goods/freight.ts";
import { packageTypes } from "../goods/parcel.ts";
import { Annotated, Logged, Moment, Money, Nullable, OneOf } from "../values/schema.ts";

/** Rates as the API shows them (spec 2.5, 2.6, decision 7). Amounts here are decimals, as in JSON. */

export const addOnCodes = [
  "protection",
  "signature",
  "adult_signature",
  "saturday_delivery",
] as const;
export type AddOnCode = (typeof addOnCodes)[number];
export const AddOnCode = OneOf(addOnCodes, { $id: "AddOnCode" });

/** Every reason for which a service can be missing from rates (spec 2.6, decision 7). */
export const exclusionReasons = [
  "carrier_timeout",
  "carrier_error",
  "no_rate_for_lane",
  "carrier_rate_limited",
  "carrier_credentials_invalid",
  "service_disabled",
  "origin_not_supported",
  "destination_not_supported",
  "po_box_not_supported",
  "weight_limit_exceeded",
  "size_limit_exceeded",
  "missing_dimensions",
  "package_count_not_supported",
  "package_type_not_supported",
  "declared_value_exceeded",
  "customs_incomplete",
  "address_incomplete",
  "hazmat_not_supported",
  "accessorial_not_supported",
  "option_not_supported",
  "filtered_by_rule",
  "currency_not_supported",
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];
export const ExclusionReason = OneOf(exclusionReasons, { $id: "ExclusionReason" });

/** Whether a retry may help, perhaps with a higher timeout (spec 4.14). */
export function isRetryable(reason: ExclusionReason): boolean {
  return ["carrier_timeout", "carrier_error", "carrier_rate_limited"].includes(reason);
}

const Currency = Logged(Type.String({ examples: ["CAD"] }), "known");
export const DateOnly = Type.String({ format: "date", examples: ["2026-10-08"] });

export const MoneyBreakdown = Type.Object(
  { subtotal: Money(), tax: Money(), total: Money(), currency: Currency },
  { $id: "MoneyBreakdown" },
);
export type MoneyBreakdown = Static<typeof MoneyBreakdown>;

export const AddOn = Type.Object(
  {
    code: AddOnCode,
    name: Type.String(),
    description: Type.String(),
    price: Annotated(MoneyBreakdown, {
      description: "What choosing it adds to the rate's subtotal, tax and total.",
    }),
    selected: Type.Boolean({ description: "Whether the rate's total includes it." }),
    required: Type.Boolean({ description: "Whether the carrier sells the service only with it." }),
  },
  { $id: "AddOn" },
);
export type AddOn = Static<typeof AddOn>;

const Surcharge = Type.Object(
  { code: Type.String(), name: Type.String(), amount: Money() },
  { $id: "Surcharge" },
);

const Tax = Type.Object(
  {
    name: Type.String({ examples: ["HST"] }),
    rate: Type.Number({ description: "As a fraction of the subtotal.", examples: [0.13] }),
    amount: Money(),
  },
  { $id: "Tax" },
);

const RateCarrier = Type.Object(
  {
    code: Logged(Type.String({ examples: ["canada_post"] }), "known"),
    name: Type.String({ examples: ["Canada Post"] }),
    service_code: Logged(Type.String({ examples: ["canada_post.expedited"] }), "known"),
    scac: Nullable(Type.String({ description: "Standard Carrier Alpha Code." })),
  },
  { $id: "RateCarrier" },
);

const CarrierPrice = Type.Object({ amount: Money(), currency: Currency }, { $id: "CarrierPrice" });

/** How an amount in one currency became one in another (decision 26). */
export const RateExchange = Type.Object(
  {
    from: Currency,
    to: Currency,
    rate: Type.Number({ description: "One unit of `from` in units of `to`." }),
    valid_from: Annotated(DateOnly, { description: "The day (UTC) from which the rate applies." }),
  },
  { $id: "RateExchange" },
);

const BillableWeight = Type.Object(
  {
    value: Type.Number(),
    unit: OneOf(["kg", "lbs"], { $id: "BillableWeightUnit" }),
    basis: OneOf(["actual", "volumetric"], { $id: "WeightBasis" }),
  },
  { $id: "BillableWeight" },
);

// "box", "tote" and the like are of freight only; no name is in both lists.
const RatedType = OneOf([...packageTypes, ...handlingUnitTypes], { $id: "RatedType" });

const rateFields = {
  id: Type.String({ description: "Buys exactly this rate until it expires." }),
  service: Logged(Type.String({ description: "What to send when buying a label." }), "known"),
  postage_type_id: Type.Integer({ description: "Stable for each service." }),
  carrier: RateCarrier,
  service_name: Type.String(),
  package_type: Annotated(RatedType, {
    description: "What is shipped: for freight the first handling unit's type.",
  }),
  trackable: Type.Boolean(),
  pickup_supported: Type.Boolean(),
  base_rate: Money({ description: "With the surcharges and selected add-ons it is the subtotal." }),
  surcharges: Type.Array(Surcharge),
  add_ons: Type.Array(AddOn),
  subtotal: Money(),
  taxes: Type.Array(Tax),
  tax: Money(),
  total: Money({ description: "Exactly subtotal plus tax." }),
  currency: Currency,
  billed_by: Type.Optional(
    OneOf(["platform", "carrier"] as const, {
      $id: "BilledBy",
      description:
        "`carrier`: on the account's own contract the carrier bills the merchant, and `total` is the platform's fee.",
    }),
  ),
  carrier_price: Type.Optional(
    Annotated(Nullable(CarrierPrice), {
      description:
        "What the carrier bills the merchant, before tax; null where the platform bills.",
    }),
  ),
  exchange: Type.Optional(
    Annotated(Nullable(RateExchange), {
      description:
        "By what the carrier's price was converted; null where it charges in the account's currency. Absent in purchases of earlier releases.",
    }),
  ),
  estimated_delivery_days: Nullable(Type.Integer()),
  estimated_delivery_date: Nullable(DateOnly),
  billable_weight: BillableWeight,
  zone: Nullable(Type.String()),
  expires_at: Moment(),
  estimated: Type.Boolean({ description: "An estimate cannot be bought." }),
  transit_days: Type.Optional(
    Nullable(Type.Integer({ description: "LTL only: business days on the way." })),
  ),
  accessorials: Type.Optional(
    Type.Array(Accessorial, { description: "LTL only: what the price includes." }),
  ),
  quote_number: Type.Optional(Type.String({ description: "LTL only: the carrier's own number." })),
};

/** A rate at another tier's margin: the same fields, for showing only. */
export const TierRate = Type.Object(rateFields, { $id: "TierRate" });
export type TierRate = Static<typeof TierRate>;

const TierPricing = Type.Object({ retail: TierRate, enterprise: TierRate }, { $id: "TierPricing" });

export const Rate = Type.Object(
  {
    ...rateFields,
    tier_pricing: Type.Optional(TierPricing),
  },
  { $id: "Rate" },
);
export type Rate = Static<typeof Rate>;

export const ExcludedService = Type.Object(
  {
    postage_type_id: Type.Integer(),
    service: Logged(Type.String(), "known"),
    carrier: Logged(
      Type.String({ description: "The carrier's code.", examples: ["canada_post"] }),
      "known",
    ),
    service_name: Type.String(),
    reason: ExclusionReason,
    message: Type.String(),
    retryable: Type.Boolean({ description: "Whether the same request may succeed soon." }),
  },
  { $id: "ExcludedService" },
);
export type ExcludedService = Static<typeof ExcludedService>;

export const RatesMeta = Type.Object(
  { timeout_seconds: Type.Integer(), excluded_services: Type.Array(ExcludedService) },
  { $id: "RatesMeta" },
);
export type RatesMeta = Static<typeof RatesMeta>;

/** The order of rates: cheapest total, then faster (unknown is slowest), then `service` (decision 7). */
export function compareRates(a: Rate, b: Rate): number {
  return a.total - b.total || daysOf(a) - daysOf(b) || alphabetically(a.service, b.service);
}

function daysOf(rate: Rate): number {
  return rate.estimated_delivery_days ?? Number.MAX_SAFE_INTEGER;
}

/** By code units: the order must not depend on the machine's language. */
function alphabetically(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
