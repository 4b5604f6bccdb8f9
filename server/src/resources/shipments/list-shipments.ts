import { Type, type Static } from "typebox";
import { DayOrMoment, endOf, startOf } from "../../domain/time/day-or-moment.ts";
import { CommaSeparated, Country } from "../../domain/values/schema.ts";
import {
  shipmentStatuses,
  shipmentTypes,
  trackingStatuses,
} from "../../domain/shipments/shipment-status.ts";
import type { ListFilter } from "../../shipping/filters/list-filter.ts";

/** The filters of `GET /shipments` (decision 6). Values of Waybill's enums are comma-separated lists. */
export const ShipmentFilterQuery = Type.Object({
  status: Type.Optional(
    CommaSeparated(shipmentStatuses, {
      examples: ["purchased,in_transit"],
    }),
  ),
  type: Type.Optional(CommaSeparated(shipmentTypes)),
  carrier: Type.Optional(Type.String({ maxLength: 100, description: "A carrier's code." })),
  service: Type.Optional(Type.String({ maxLength: 100, description: "A service's code." })),
  tracking_status: Type.Optional(CommaSeparated(trackingStatuses)),
  tracking_code: Type.Optional(Type.String({ maxLength: 100, description: "Of the shipment." })),
  order_id: Type.Optional(
    Type.String({ maxLength: 100, description: "The order that it fulfils." }),
  ),
  batch_id: Type.Optional(Type.String({ maxLength: 100, description: "The batch that it is in." })),
  reference: Type.Optional(
    Type.String({ maxLength: 50, description: "The merchant's own reference, whole." }),
  ),
  country_code: Type.Optional(Country({ description: "The destination's." })),
  created_from: Type.Optional(DayOrMoment({ description: "From this day (UTC) or moment on." })),
  created_to: Type.Optional(
    DayOrMoment({ description: "Up to this moment, or to the end of this day (UTC)." }),
  ),
  tag: Type.Optional(Type.String({ maxLength: 50, description: "A tag that it has." })),
  filter_id: Type.Optional(
    Type.String({ maxLength: 100, description: "A saved filter's id; it adds to the others." }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "A shipment's or an order's id, or the start of a ship code, a tracking code, a recipient's name, its last word or an order's number. Case and accents of names do not count.",
    }),
  ),
});

export type ShipmentFilters = Omit<
  Static<typeof ShipmentFilterQuery>,
  "status" | "type" | "tracking_status" | "created_from" | "created_to" | "filter_id"
> & {
  status?: string[];
  type?: string[];
  tracking_status?: string[];
  created_from?: Date;
  created_to?: Date;
  /** The criteria of `filter_id`. */
  saved?: ListFilter;
  /** Whatever the query, the caller may see freight only (decision 3). */
  ltl_only?: boolean;
};

export function readFilters(query: Static<typeof ShipmentFilterQuery>): ShipmentFilters {
  const { status, type, tracking_status, filter_id: _id, ...others } = query;
  const { created_from, created_to, country_code, carrier, service, ...rest } = others;
  return {
    ...rest,
    ...(status ? { status: status.split(",") } : {}),
    ...(type ? { type: type.split(",") } : {}),
    ...(tracking_status ? { tracking_status: tracking_status.split(",") } : {}),
    // Codes of carriers and services are in lower case.
    ...(carrier ? { carrier: carrier.toLowerCase() } : {}),
    ...(service ? { service: service.toLowerCase() } : {}),
    ...(created_from ? { created_from: startOf(created_from) } : {}),
    ...(created_to ? { created_to: endOf(created_to) } : {}),
    ...(country_code ? { country_code: country_code.toUpperCase() } : {}),
  };
}
