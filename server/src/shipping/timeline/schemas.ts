import { Type, type Static } from "typebox";
import { causeTypes, entryKinds } from "../../domain/timeline/entry.ts";
import { Moment, Nullable, OneOf } from "../../domain/values/schema.ts";

/** The schemas of timelines (ADR 27), the same for shipments, orders, batches and requests. */

export const TimelineQuery = {
  after: Type.Optional(
    Type.String({
      description: "`meta.next_cursor` of the page before; without it from the start.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: "Entries of a page; 100 when absent." }),
  ),
};

export interface TimelinePage {
  after?: string;
  limit?: number;
}

const TimelineCause = Type.Object(
  {
    type: OneOf(causeTypes, { $id: "TimelineCauseType" }),
    id: Type.String({
      description:
        "The request's, batch's or rule's; the name of the loop (`schedule`) or of the operator.",
    }),
  },
  { $id: "TimelineCause" },
);

const TimelineEntry = Type.Object(
  {
    at: Moment(),
    kind: OneOf(entryKinds, { $id: "TimelineKind" }),
    title: Type.String({ examples: ["Held 14.87 CAD for the label"] }),
    id: Type.String({ description: "No other entry of the timeline has it." }),
    request_id: Nullable(Type.String({ description: "Of the request that it happened in." })),
    cause: Nullable(TimelineCause),
    details: Type.Object(
      {},
      { additionalProperties: true, description: "The facts behind the title, by its kind." },
    ),
    links: Type.Object(
      {},
      { additionalProperties: Type.String(), description: "Addresses by name." },
    ),
  },
  { $id: "TimelineEntry" },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const Timeline = Type.Object(
  {
    data: Type.Array(TimelineEntry),
    meta: Type.Object(
      {
        complete_since: Nullable(
          Moment({
            description:
              "Before it, entries may be gone or were never logged. Null: nothing is missing since the creation.",
          }),
        ),
        next_cursor: Nullable(Type.String({ description: "Null at the end." })),
      },
      { $id: "TimelineMeta" },
    ),
  },
  { $id: "Timeline" },
);
export type Timeline = Static<typeof Timeline>;
