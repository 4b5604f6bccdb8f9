import { Type, type Static } from "typebox";
import { DisabledServices, preferenceSchemas } from "../../domain/accounts/account-settings.ts";
import { Environment } from "../../domain/accounts/environment.ts";
import { Address, NewAddress } from "../../domain/addresses/address.ts";
import { tiers } from "../../domain/pricing/pricing-settings.ts";
import { Logged, Maybe, Nullable, OneOf, ReadOnly } from "../../domain/values/schema.ts";

/** The request and response schemas of the caller's own account. */

const Preferences = Type.Object(preferenceSchemas, { $id: "Preferences" });

export const OwnAccount = Type.Object(
  {
    id: Type.String(),
    organization: Type.Object(
      { id: Type.String(), name: Type.String() },
      { $id: "OwnOrganization" },
    ),
    environment: Environment,
    currency: Logged(Type.String(), "known"),
    time_zone: Type.String(),
    default_from_address: Nullable(Address),
    preferences: Preferences,
    settings: Type.Object(
      {
        tier: OneOf(tiers, { $id: "AccountTier" }),
        show_tier_rates_api: Type.Boolean(),
        products_api_create: Type.Boolean(),
        disabled_services: DisabledServices,
      },
      { $id: "OwnSettings", description: "`tier` and `products_api_create` are the operator's." },
    ),
  },
  { $id: "OwnAccount" },
);
export type OwnAccount = Static<typeof OwnAccount>;

const strict = { additionalProperties: false };

/** Fields that are left out stay. */
export const AccountChanges = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: "The organization's name." }),
    ),
    time_zone: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          "`UTC`, or an area and a place of the IANA database. Billing months follow it from the next one on.",
        examples: ["America/Toronto"],
      }),
    ),
    default_from_address: Maybe(NewAddress, {
      description: "The address book's default of the use `from`; null: there is none.",
    }),
    show_tier_rates_api: Type.Optional(Type.Boolean()),
    disabled_services: Type.Optional(DisabledServices),
    preferences: Type.Optional(
      Type.Partial(Type.Object(preferenceSchemas), { ...strict, $id: "PreferenceChanges" }),
    ),
  },
  { minProperties: 1, $id: "AccountChanges" },
);
export type AccountChanges = Static<typeof AccountChanges>;

/** As it was read, an account may be sent back; what only the operator sets is else refused, not ignored. */
export const StrictAccountChanges = Type.Object(
  {
    ...AccountChanges.properties,
    ...ReadOnly("id", "organization", "environment", "currency"),
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { ...strict, minProperties: 1 },
);
export type StrictAccountChanges = Static<typeof StrictAccountChanges>;
