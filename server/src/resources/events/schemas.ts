import { Type, type Static } from "typebox";
import { Environment } from "../../domain/accounts/environment.ts";
import { EventType } from "../../domain/events/catalogue.ts";
import { Moment, Nullable, Opaque } from "../../domain/values/schema.ts";

/** What readers of the feed are sent. The body of a webhook's delivery and of a stream's message is the same. */

export const EventActor = Type.Object(
  {
    type: Type.String({ examples: ["token"] }),
    id: Type.String({ examples: ["tok_01jz8n6t3ye5d9m2k4c7v0p1qa"] }),
  },
  { $id: "EventActor" },
);

const data = Opaque(
  Type.Object(
    {},
    { additionalProperties: true, description: "By the type: see `GET /event-types`." },
  ),
);

export const Event = Type.Object(
  {
    id: Type.String({ examples: ["evt_01jz8n6t3ye5d9m2k4c7v0p1qa"] }),
    type: Type.String({ examples: ["shipment.purchased"] }),
    timestamp: Moment({ description: "When it happened." }),
    api_version: Type.Unsafe<"v5">({ type: "string", enum: ["v5"] }),
    environment: Environment,
    subject_id: Type.String({ description: "What it happened to." }),
    sequence: Type.Integer({
      minimum: 1,
      description: "Counts the events of its subject, from 1 without a gap.",
    }),
    cursor: Type.String({
      examples: ["1042"],
      description: "Its place in the account's feed: what to read on after.",
    }),
    request_id: Nullable(Type.String()),
    actor: Nullable(EventActor),
    data,
  },
  { $id: "Event" },
);
export type Event = Static<typeof Event>;

export const EventPage = Type.Object(
  {
    data: Type.Array(Event),
    meta: Type.Object(
      {
        next_cursor: Type.String({ description: "`after` of the next call." }),
        caught_up: Type.Boolean({ description: "There is nothing behind it yet." }),
      },
      { $id: "EventPageMeta" },
    ),
  },
  { $id: "EventPage" },
);
export type EventPage = Static<typeof EventPage>;

export const EventTypeDescription = Type.Object(
  {
    type: EventType,
    summary: Type.String(),
    sample: Event,
  },
  { $id: "EventTypeDescription" },
);
export type EventTypeDescription = Static<typeof EventTypeDescription>;
