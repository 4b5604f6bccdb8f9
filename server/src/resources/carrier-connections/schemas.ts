import { Type, type Static } from "typebox";
import { connectionStatuses, unheardPolicies } from "../../domain/accounts/connection-status.ts";
import { Environment } from "../../domain/accounts/environment.ts";
import { Annotated, Logged, Maybe, Moment, Nullable, OneOf } from "../../domain/values/schema.ts";

/** Connections with carriers, of the platform and of an account: the same shape for both. */

const UnheardPolicy = OneOf(unheardPolicies, {
  $id: "UnheardPolicy",
  description:
    "Of purchases whose outcome no lookup proves: `hold` keeps the money until an operator decides, `release_and_watch` frees it and voids the label should it appear.",
});

/** So many calls of a group of operations in a minute, an hour or a day. */
const Budget = Type.Object(
  {
    per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    per_hour: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  },
  { additionalProperties: false, minProperties: 1, $id: "ConnectionBudget" },
);
const Budgets = Type.Object(
  {
    all: Type.Optional(Budget),
    rates: Type.Optional(Budget),
    labels: Type.Optional(Budget),
    tracking: Type.Optional(Budget),
    other: Type.Optional(Budget),
  },
  {
    additionalProperties: false,
    $id: "ConnectionBudgets",
    description:
      "What the contract allows, by group of calls: purchases and voids are `labels`, pickups, addresses and places `other`, and `all` is every call. What is beyond it is not sent: quotes leave the carrier out as `carrier_rate_limited`, purchases are refused with `over_budget`, and tracking waits.",
  },
);

const Status = OneOf(connectionStatuses, { $id: "ConnectionStatus" });
const Name = Type.String({ minLength: 1, maxLength: 80 });
const Texts = Type.Record(Type.String(), Type.String());
const Secrets = Type.Record(Type.String(), Type.String(), {
  description: "Only written: no answer shows them.",
});

/** What the verb validates by itself as well: `values` and `secrets` have the fields of the carrier. */
export const NewConnection = Type.Object(
  {
    carrier: Logged(Type.String({ minLength: 1, maxLength: 100, examples: ["ups"] }), "known"),
    environment: Maybe(Environment, { description: "Of an account, its own." }),
    name: Name,
    values: Maybe(Texts, { description: "Account numbers and the like, by the carrier's fields." }),
    secrets: Secrets,
    unheard_policy: Maybe(UnheardPolicy),
    budgets: Maybe(Budgets),
    is_default: Maybe(Type.Boolean(), {
      description: "The first of a carrier and environment always is.",
    }),
  },
  { $id: "NewCarrierConnection" },
);
export type NewConnection = Static<typeof NewConnection>;

export const ConnectionChanges = Type.Object(
  {
    name: Type.Optional(Name),
    values: Type.Optional(Texts),
    unheard_policy: Type.Optional(UnheardPolicy),
    budgets: Maybe(Budgets),
    is_default: Type.Optional(Type.Boolean()),
    status: Type.Optional(
      Annotated(Status, {
        description:
          "`disabled`, or `active`, which switches a disabled one on again. Its own status sent back is no change; others are 422.",
      }),
    ),
  },
  { minProperties: 1, $id: "CarrierConnectionChanges" },
);
export type ConnectionChanges = Static<typeof ConnectionChanges>;

export const SecretsRotation = Type.Object({ secrets: Secrets }, { $id: "SecretsRotation" });

export const ConnectionTestResult = Type.Object(
  {
    ok: Type.Boolean(),
    code: Logged(
      Type.String({ description: "`ok`, `credentials_invalid`, or another of the carrier's." }),
    ),
    message: Type.String(),
    at: Moment(),
    status: Status,
  },
  { $id: "ConnectionTestResult" },
);

export const Connection = Type.Object(
  {
    id: Type.String(),
    carrier: Logged(Type.String(), "known"),
    environment: Environment,
    name: Type.String(),
    values: Texts,
    secret_hint: Nullable(Type.String({ description: "The last characters of the secret." })),
    status: Status,
    is_default: Type.Boolean(),
    unheard_policy: UnheardPolicy,
    budgets: Nullable(Budgets),
    last_test: Nullable(
      Type.Object(
        { at: Moment(), ok: Type.Boolean(), code: Logged(Type.String()) },
        { $id: "LastConnectionTest" },
      ),
    ),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "CarrierConnection" },
);
export type Connection = Static<typeof Connection>;
