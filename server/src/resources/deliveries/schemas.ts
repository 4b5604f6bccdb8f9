import { Type, type Static } from "typebox";
import { EventType } from "../../domain/events/catalogue.ts";
import { DeliveryStatus, DeliveryTrigger } from "../../domain/events/webhook-states.ts";
import { Moment, Nullable } from "../../domain/values/schema.ts";

/** The response schemas of deliveries. */

const lastStatus = Nullable(
  Type.Integer({
    examples: [204],
    description: "The HTTP status of the last answer; null without one.",
  }),
);
const lastError = Nullable(
  Type.String({
    examples: ["timeout"],
    description: "Why the last attempt failed; null when it did not.",
  }),
);

const fields = {
  id: Type.String({ examples: ["dlv_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
  webhook_id: Type.String({ examples: ["whk_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
  event_id: Type.String({
    examples: ["evt_01k6x3v2m4f8r9t0a1b2c3d4e5"],
    description: "The `webhook-id` that the receiver is sent, the same at each attempt.",
  }),
  type: EventType,
  trigger: DeliveryTrigger,
  status: DeliveryStatus,
  attempt_count: Type.Integer({ examples: [1] }),
  last_status: lastStatus,
  last_error: lastError,
  next_attempt_at: Nullable(
    Moment({ description: "When it is due; null when nothing more is sent." }),
  ),
  created_at: Moment(),
  ended_at: Nullable(Moment()),
};

export const Delivery = Type.Object(fields, { $id: "Delivery" });
export type Delivery = Static<typeof Delivery>;

export const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, examples: [1] }),
    at: Moment(),
    ms: Type.Integer({ minimum: 0, examples: [84] }),
    status: lastStatus,
    error: lastError,
    response_excerpt: Nullable(
      Type.String({ examples: ["ok"], description: "The first KB of the answer's text." }),
    ),
  },
  { $id: "DeliveryAttempt" },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryWithAttempts = Type.Object(
  {
    ...fields,
    attempts: Type.Array(DeliveryAttempt, {
      description: "Oldest first; they are kept for 30 days.",
    }),
  },
  { $id: "DeliveryWithAttempts" },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;
