import { Type, type Static } from "typebox";
import { EventType, typePatterns } from "../../domain/events/catalogue.ts";
import { WebhookStatus } from "../../domain/events/webhook-states.ts";
import { DayOrMoment } from "../../domain/time/day-or-moment.ts";
import { Annotated, Maybe, Moment, Nullable, OneOf, ReadOnly } from "../../domain/values/schema.ts";

/** The request and response schemas of webhooks. */

const urlLengthMax = 2048;
export const webhooksMax = 16;

const TypePattern = OneOf(typePatterns, { $id: "EventTypePattern" });
const Types = Type.Array(TypePattern, {
  minItems: 1,
  uniqueItems: true,
  description:
    "Which events it gets: `*`, all of a kind such as `shipment.*`, or exact types. `token.*` has to be named: `*` does not include it.",
  examples: [["shipment.*", "tracking.updated"]],
});
const Url = Type.String({
  minLength: 1,
  maxLength: urlLengthMax,
  description:
    "A public https address, on port 443 or 8443, without a user and password. Redirects are not followed.",
  examples: ["https://shop.example.com/hooks/waybill"],
});
const Description = Type.String({ maxLength: 200, examples: ["The shop's order screen"] });
const MaxInFlight = Type.Integer({
  minimum: 1,
  maximum: 32,
  description: "The maximum number of concurrent deliveries.",
});

export const NewWebhook = Type.Object(
  {
    url: Url,
    types: Types,
    description: Maybe(Description),
    max_in_flight: Maybe(MaxInFlight, { default: 8 }),
  },
  { $id: "NewWebhook" },
);
export type NewWebhook = Static<typeof NewWebhook>;

const changes = {
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  description: Maybe(Description),
  max_in_flight: Type.Optional(MaxInFlight),
  status: Type.Optional(
    Annotated(WebhookStatus, {
      description:
        "`disabled` cancels what is pending. `enabled` begins anew; `POST /webhooks/{webhook_id}/replay` sends what it missed.",
    }),
  ),
};

export const WebhookChanges = Type.Object(changes, {
  $id: "WebhookChanges",
  description: "The fields that are named change.",
});
export type WebhookChanges = Static<typeof WebhookChanges>;

/** The same with the fields that only we write, so that a webhook can be sent back as it was read. */
export const StrictWebhookChanges = Type.Object(
  {
    ...changes,
    ...ReadOnly(
      ...["id", "disabled_reason", "since_position", "health", "created_at", "updated_at"],
    ),
  },
  { additionalProperties: false },
);

const Health = Type.Object(
  {
    pending: Type.Integer({ minimum: 0, description: "Deliveries that are still to be sent." }),
    oldest_pending_at: Nullable(Moment()),
    failing_since: Nullable(
      Moment({ description: "The first failure since the last success; null without one." }),
    ),
    last_success_at: Nullable(Moment()),
  },
  { $id: "WebhookHealth" },
);

const fields = {
  id: Type.String({ examples: ["whk_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
  url: Url,
  description: Nullable(Type.String()),
  types: Type.Array(TypePattern),
  status: WebhookStatus,
  disabled_reason: Nullable(
    OneOf(["requested", "failing", "gone"] as const, {
      $id: "WebhookDisabledReason",
      description:
        "By a request, because it kept failing, or because it answered 410; null while it is enabled.",
    }),
  ),
  max_in_flight: MaxInFlight,
  since_position: Type.String({
    examples: ["4102"],
    description: "The cursor of the feed at which it was made: it gets the events after it.",
  }),
  health: Health,
  created_at: Moment(),
  updated_at: Moment(),
};

export const Webhook = Type.Object(fields, { $id: "Webhook" });
export type Webhook = Static<typeof Webhook>;

const secret = Type.String({
  examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0hVCq/8gFqk="],
  description:
    "Verifies what the webhook is sent, as Standard Webhooks lays down. Only this answer shows it, and its replays to the same token under the same Idempotency-Key.",
});

export const MintedWebhook = Type.Object({ ...fields, secret }, { $id: "MintedWebhook" });

export const SecretRotation = Type.Object(
  {
    overlap_hours: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: "How long the old secrets go on signing beside the new one.",
      }),
      { default: 24 },
    ),
  },
  { $id: "SecretRotation" },
);

export const RotatedSecret = Type.Object(
  {
    id: fields.id,
    secret,
    old_secrets_expire_at: Moment({ description: "Until then the old secrets sign as well." }),
  },
  { $id: "RotatedSecret" },
);

export const WebhookTest = Type.Object(
  {
    type: Maybe(EventType, {
      default: "webhook.test",
      description: "The type of the sample, whichever types the webhook gets.",
    }),
  },
  { $id: "WebhookTest" },
);

export const replayModes = ["missing", "failed", "all"] as const;

export const Replay = Type.Object(
  {
    after: Maybe(
      Type.String({
        examples: ["4102"],
        description: "A cursor of the feed: events after it. Not together with since.",
      }),
    ),
    since: Maybe(DayOrMoment({ description: "Events from this day (UTC) or moment on." })),
    until: Maybe(
      DayOrMoment({ description: "Events up to this moment, or to the end of this day (UTC)." }),
    ),
    types: Maybe(Types, { description: "Of the types that the webhook gets, only these." }),
    only: OneOf(replayModes, {
      $id: "ReplayMode",
      description:
        "`missing`: events that were never for it, as from before it was made or while it was disabled. `failed`: what failed or was cancelled. `all`: both, and what was delivered.",
    }),
  },
  { $id: "Replay" },
);
export type Replay = Static<typeof Replay>;

export const Replayed = Type.Object(
  { matched: Type.Integer({ minimum: 0, examples: [120], description: "Deliveries now due." }) },
  { $id: "Replayed" },
);
