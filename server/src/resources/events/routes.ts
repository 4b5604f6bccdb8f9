import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { isId } from "../../domain/values/ids.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { findEvent } from "../../events/feed/read-store.ts";
import { followFeeds } from "../../events/feed/tail.ts";
import { toPayload } from "../../events/payload.ts";
import { DataOf, type Routes } from "../../http/routes.ts";
import { listEventTypes } from "./event-types.ts";
import { listEvents } from "./list-events.ts";
import { Event, EventPage, EventTypeDescription } from "./schemas.ts";
import { openStreams } from "./streams.ts";

const tags = ["Events"];
const reading = { scopes: ["webhooks:read"] } as const;

const after = Type.Optional(
  Type.String({
    examples: ["0"],
    description:
      "Events behind this cursor, which is the `cursor` of an event or a `next_cursor`; `0` is before the first.",
  }),
);
const types = Type.Optional(
  Type.String({
    examples: ["shipment.*,order.created"],
    description:
      "`*`, families such as `shipment.*`, or types, with commas between them; all without it.",
  }),
);

/** `/events` and `/event-types`. One tail and one set of streams serve both base addresses. */
export function eventRoutes(platform: Platform, draining: AbortSignal): Routes {
  const { db, log } = platform;
  const tail = followFeeds(db, (error) => log.debug({ err: error }, "feeds.not_read"));
  const streams = openStreams(platform, tail, draining);
  return async (app) => {
    app.get(
      "/events",
      {
        config: { ...reading, errors: ["cursor_expired"] },
        schema: {
          operationId: "listEvents",
          summary: "Read the account's events, oldest first, from a cursor on",
          description:
            "Every event is in it once, and a reader that goes on from `meta.next_cursor` misses none. Without `after` it begins with the oldest that is kept. 410 `cursor_expired` when events behind the cursor are gone.",
          tags,
          querystring: Type.Object({
            after,
            types,
            subject_id: Type.Optional(
              Type.String({ description: "Events of this shipment, order, batch, … only." }),
            ),
            limit: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 1000,
                description: "Most events; 100 without it.",
              }),
            ),
            wait: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 25,
                description:
                  "Seconds to hold the answer while there is no matching event; none without it.",
              }),
            ),
          }),
          response: { 200: EventPage },
        },
      },
      async (request, reply) => listEvents(request, reply, request.query, { tail, ends: draining }),
    );

    app.get(
      "/events/stream",
      {
        config: { ...reading, file_type: "text/event-stream", errors: ["cursor_expired"] },
        compress: false,
        exposeHeadRoute: false,
        schema: {
          operationId: "streamEvents",
          summary: "Follow the account's events as server-sent events",
          description:
            "Each message has the event's cursor as `id`, its type as `event` and the event as `data`. It resumes behind the header `Last-Event-ID`, or `after`; without both it begins with what is new. A token has at most five open. The server ends a stream after 15 minutes; clients connect again and resume.",
          tags,
          querystring: Type.Object({ types, after }),
          response: {
            200: {
              description: "Messages, until one side ends the connection.",
              content: { "text/event-stream": { schema: Type.String() } },
            },
          },
        },
      },
      async (request, reply) =>
        reply.send((await streams.open(request, reply, request.query)) as never),
    );

    app.get(
      "/events/:event_id",
      {
        config: reading,
        schema: {
          operationId: "getEvent",
          summary: "Get one event",
          tags,
          params: Type.Object({ event_id: Type.String({ description: "The event's id." }) }),
          response: { 200: DataOf(Event) },
        },
      },
      async ({ ctx: { account }, params: { event_id } }) => {
        const event = isId("evt", event_id)
          ? await findEvent(db, account.account_id, event_id)
          : undefined;
        if (!event) throw notFound();
        return { data: toPayload(event, account.environment) };
      },
    );

    app.get(
      "/event-types",
      {
        config: reading,
        schema: {
          operationId: "listEventTypes",
          summary: "List the types of events, each with a sample",
          tags,
          response: {
            200: Type.Object(
              { data: Type.Array(EventTypeDescription) },
              { $id: "EventTypeDescriptions" },
            ),
          },
        },
      },
      async ({ ctx: { account } }) => ({ data: listEventTypes(account.environment) }),
    );
  };
}
