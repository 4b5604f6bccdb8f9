import { Type, type Static } from "typebox";
import { OneOf } from "../../domain/schema.ts";
import { shipmentStatuses, trackingStatuses } from "../../domain/shipment-status.ts";

/** What `GET /shipments` can be narrowed by (decision 6). `status` is a comma-separated list. */
export const ShipmentFilterQuery = Type.Object({
  status: Type.Optional(
    Type.String({
      pattern: `^(${shipmentStatuses.join("|")})(,(${shipmentStatuses.join("|")}))*$`,
      description: `Comma-separated: ${shipmentStatuses.join(", ")}.`,
    }),
  ),
  type: Type.Optional(OneOf(["courier", "ltl"])),
  carrier: Type.Optional(Type.String({ maxLength: 100 })),
  service: Type.Optional(Type.String({ maxLength: 100 })),
  tracking_status: Type.Optional(OneOf(trackingStatuses)),
  tracking_code: Type.Optional(Type.String({ maxLength: 100 })),
  order_id: Type.Optional(Type.String({ maxLength: 100 })),
  batch_id: Type.Optional(Type.String({ maxLength: 100 })),
  reference: Type.Optional(Type.String({ maxLength: 50 })),
  country_code: Type.Optional(Type.String({ pattern: "^[A-Za-z]{2}$" })),
  created_from: Type.Optional(Type.String({ format: "date-time" })),
  created_to: Type.Optional(Type.String({ format: "date-time" })),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "An id, or the start of a ship code, a tracking code or a recipient's name.",
    }),
  ),
});

export type ShipmentFilters = Omit<
  Static<typeof ShipmentFilterQuery>,
  "status" | "created_from" | "created_to"
> & {
  status?: string[];
  created_from?: Date;
  created_to?: Date;
};

export function readFilters(query: Static<typeof ShipmentFilterQuery>): ShipmentFilters {
  const { status, created_from, created_to, country_code, ...rest } = query;
  return {
    ...rest,
    ...(status ? { status: status.split(",") } : {}),
    ...(created_from ? { created_from: new Date(created_from) } : {}),
    ...(created_to ? { created_to: new Date(created_to) } : {}),
    ...(country_code ? { country_code: country_code.toUpperCase() } : {}),
  };
}
