import { Type, type Static } from "typebox";
import { defaultPricingSettings, PricingSettings } from "../pricing/pricing-settings.ts";
import { AddOnCode } from "../pricing/rate.ts";
import { ContentsType, Incoterm, LabelFormat, LabelSize } from "../shipments/shipment-enums.ts";
import { Annotated, Money, Nullable, OneOf } from "../values/schema.ts";
import { Scope } from "./scopes.ts";

/** When a card is charged by itself, and with how much, in the account's currency. */
export const AutoRecharge = Type.Object(
  {
    threshold: Money({
      minimum: 0,
      maximum: 10_000,
      description: "The card is charged when the balance falls below it.",
    }),
    amount: Money({
      minimum: 10,
      maximum: 10_000,
      description: "Of each charge; at least the threshold.",
    }),
    payment_method_id: Nullable(
      Type.String({ minLength: 1, maxLength: 100, description: "Null is the default card." }),
    ),
  },
  { $id: "AutoRecharge", additionalProperties: false },
);
export type AutoRecharge = Static<typeof AutoRecharge>;

/**
 * What a shipment takes over where it leaves a field out, and what happens to products by themselves. The
 * account changes these itself (`PUT /account`).
 */
export const preferenceSchemas = {
  label_format: Nullable(
    Annotated(LabelFormat, {
      description: "Of shipments that name none; pdf when neither names one.",
    }),
  ),
  label_size: Nullable(
    Annotated(LabelSize, {
      description: "Of shipments that name none; 4x6 when neither names one.",
    }),
  ),
  package_preset_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The package that the dashboard's shipping desk begins with.",
      examples: ["pst_01k6x3v2m4f8r9t0a1b2c3d4e5"],
    }),
  ),
  contents_type: Nullable(ContentsType),
  incoterm: Nullable(Incoterm),
  add_ons: Type.Array(AddOnCode, {
    uniqueItems: true,
    description: "Of parcels; a shipment that sends an empty list has none.",
  }),
  auto_classify: Type.Boolean({
    description: "Whether imported products without a customs code are classified.",
  }),
  auto_approve_confidence: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "From this confidence on a found customs code is approved by itself; null is never.",
    }),
  ),
  low_balance_threshold: Nullable(
    Money({
      minimum: 0,
      maximum: 1_000_000,
      description:
        "In the account's currency: `credits.low_balance` is written when the balance falls below it. Null is never.",
    }),
  ),
  auto_recharge: Nullable(
    Annotated(AutoRecharge, {
      description: "Null is never. Setting it also needs `credits:write`.",
    }),
  ),
};

/** Each must be a service, which `addDisabledServiceProblems` checks. */
export const DisabledServices = Type.Array(Type.String({ maxLength: 100 }), {
  uniqueItems: true,
  maxItems: 500,
  description:
    "Codes of services that the account does without: in no rates, and in no `excluded_services`.",
});

/**
 * What may be set for each account (decision 24): flat, stored as the changed values only, so that a
 * new default reaches every account that never changed it.
 */
export const AccountSettings = Type.Object(
  {
    ...PricingSettings.properties,
    token_ceiling: Nullable(
      Type.Array(Scope, {
        maxItems: 100,
        description: "The scopes that a token may mint beyond its own; null is all.",
      }),
    ),
    products_api_create: Type.Boolean({
      description: "Whether `POST /products` creates (decision 13).",
    }),
    refund_hold_days: Nullable(
      Type.Integer({ minimum: 0, maximum: 365, description: "Null is the platform's own." }),
    ),
    own_carrier_accounts: Type.Boolean({
      description: "Whether the account may use contracts of its own with carriers.",
    }),
    exchange_margin_percent: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          "Added to the exchange rate of carriers' prices in another currency; null is the platform's own.",
      }),
    ),
    disabled_services: DisabledServices,
    ...preferenceSchemas,
    request_log_bodies: OneOf(["on", "off"] as const, {
      description: "Whether the request log keeps bodies, redacted.",
    }),
  },
  { $id: "AccountSettings", additionalProperties: false },
);
export type AccountSettings = Static<typeof AccountSettings>;

export const defaultSettings: AccountSettings = {
  ...defaultPricingSettings,
  token_ceiling: null,
  products_api_create: false,
  refund_hold_days: null,
  own_carrier_accounts: false,
  exchange_margin_percent: null,
  disabled_services: [],
  label_format: null,
  label_size: null,
  package_preset_id: null,
  contents_type: null,
  incoterm: null,
  add_ons: [],
  auto_classify: true,
  auto_approve_confidence: null,
  low_balance_threshold: null,
  auto_recharge: null,
  request_log_bodies: "on",
};

/** The settings in force, from the stored changes. Names that no release knows any more are omitted. */
export function readSettings(stored: unknown): AccountSettings {
  const changes = Object.entries(stored ?? {}).filter(([name]) =>
    Object.hasOwn(defaultSettings, name),
  );
  return { ...defaultSettings, ...Object.fromEntries(changes) };
}
