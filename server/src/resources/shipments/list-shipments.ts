import { Type, type Static } from "typebox";
import { DayOrMoment, endOf, startOf } from "../../domain/day-or-moment.ts";
import { CommaSeparated, Country, OneOf } from "../../domain/schema.ts";
import { shipmentStatuses, trackingStatuses } from "../../domain/shipment-status.ts";
import type { Narrowing } from "../filters/service.ts";

/** What `GET /shipments` can be narrowed by (decision 6). `status` is a comma-separated list. */
export const ShipmentFilterQuery = Type.Object({
  status: Type.Optional(
    CommaSeparated(shipmentStatuses, {
      description: `One or more, separated by commas: ${shipmentStatuses.join(", ")}.`,
      examples: ["purchased,in_transit"],
    }),
  ),
  type: Type.Optional(OneOf(["courier", "ltl"])),
  carrier: Type.Optional(Type.String({ maxLength: 100, description: "A carrier's code." })),
  service: Type.Optional(Type.String({ maxLength: 100, description: "A service's code." })),
  tracking_status: Type.Optional(OneOf(trackingStatuses)),
  tracking_code: Type.Optional(Type.String({ maxLength: 100 })),
  order_id: Type.Optional(Type.String({ maxLength: 100 })),
  batch_id: Type.Optional(Type.String({ maxLength: 100 })),
  reference: Type.Optional(Type.String({ maxLength: 50 })),
  country_code: Type.Optional(Country({ description: "The destination's." })),
  created_from: Type.Optional(DayOrMoment({ description: "From this day (UTC) or moment on." })),
  created_to: Type.Optional(
    DayOrMoment({ description: "Up to this moment, or to the end of this day (UTC)." }),
  ),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
  filter_id: Type.Optional(
    Type.String({ maxLength: 100, description: "A saved filter's id; it adds to the others." }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "An id, or the start of a ship code, a tracking code, a recipient's name or an order's number.",
    }),
  ),
});

export type ShipmentFilters = Omit<
  Static<typeof ShipmentFilterQuery>,
  "status" | "created_from" | "created_to" | "filter_id"
> & {
  status?: string[];
  created_from?: Date;
  created_to?: Date;
  /** The criteria of `filter_id`. */
  saved?: Narrowing;
  /** Whatever is asked for, the caller may see freight only (decision 3). */
  ltl_only?: boolean;
};

export function readFilters(query: Static<typeof ShipmentFilterQuery>): ShipmentFilters {
  const { status, created_from, created_to, country_code, filter_id: _id, ...rest } = query;
  return {
    ...rest,
    ...(status ? { status: status.split(",") } : {}),
    ...(created_from ? { created_from: startOf(created_from) } : {}),
    ...(created_to ? { created_to: endOf(created_to) } : {}),
    ...(country_code ? { country_code: country_code.toUpperCase() } : {}),
  };
}
