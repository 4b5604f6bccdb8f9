import { Type, type Static } from "typebox";
import { Annotated, CommaSeparated, Moment, Nullable, OneOf } from "../../domain/values/schema.ts";
import {
  trackingDelays,
  TrackingStatus,
  trackingStatuses,
} from "../../domain/shipments/shipment-status.ts";

export const TrackingQuery = Type.Object({
  status: Type.Optional(CommaSeparated(trackingStatuses)),
  shipment_id: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "Of a shipment with several packages, all of them.",
    }),
  ),
  delay: Type.Optional(
    Annotated(OneOf(trackingDelays, { $id: "TrackingDelay" }), {
      description:
        "Packages on their way: `late` ones, whose estimated day is over everywhere, or `not_scanned` ones, of which the carrier has told nothing for three days.",
    }),
  ),
});

const TrackingEvent = Type.Object(
  {
    occurred_at: Moment(),
    status: Annotated(TrackingStatus, {
      description: "`unknown` where we do not know what the carrier's code means.",
    }),
    description: Nullable(Type.String({ description: "In the carrier's words." })),
    location: Nullable(
      Type.Object(
        {
          city: Type.String(),
          province_code: Nullable(Type.String()),
          country_code: Nullable(Type.String()),
        },
        { $id: "TrackingPlace" },
      ),
    ),
    carrier_code: Type.String({ description: "The carrier's own code of the event." }),
  },
  { $id: "TrackingEvent" },
);

export const Tracking = Type.Object(
  {
    id: Type.String(),
    tracking_code: Type.String(),
    carrier: Type.String({ description: "The carrier's code." }),
    status: TrackingStatus,
    status_detail: Nullable(
      Type.String({ description: "The newest event, in the carrier's words." }),
    ),
    estimated_delivery_date: Nullable(Type.String({ format: "date" })),
    delivered_at: Nullable(Moment()),
    signed_by: Nullable(Type.String()),
    shipment_id: Type.String(),
    public_url: Type.String({
      description: "A page for the recipient, which shows cities and statuses only.",
    }),
    events: Type.Array(TrackingEvent, { description: "Newest first." }),
  },
  { $id: "Tracking" },
);
export type Tracking = Static<typeof Tracking>;
