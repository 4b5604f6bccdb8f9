import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../addresses/address.ts";
import { Annotated, Maybe, Moment, Nullable, OneOf } from "../values/schema.ts";

/** Drop-off places (spec 4.12, decision 18). */

export const locationTypes = ["branch", "partner", "carrier"] as const;
export const LocationType = OneOf(locationTypes, { $id: "LocationType" });
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof weekdays)[number];
export const Weekday = OneOf(weekdays, { $id: "Weekday" });
export const locationServices = [
  "drop_off",
  "pick_up",
  "printing",
  "packaging",
  "customs_help",
] as const;
export type LocationService = (typeof locationServices)[number];
export const LocationService = OneOf(locationServices, { $id: "LocationService" });
export const acceptedThings = ["envelope", "parcel", "oversize", "pallet"] as const;
export type AcceptedItem = (typeof acceptedThings)[number];
export const AcceptedItem = OneOf(acceptedThings, { $id: "AcceptedItem" });

const time = { pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$", examples: ["09:00"] };

/** One stretch of opening. A day without any is closed; one that closes before it opens ends the next day. */
export const OpeningHours = Type.Object(
  {
    day: Weekday,
    opens: Type.String({ ...time, description: "Local time at the place." }),
    closes: Type.String({
      ...time,
      description: "Local time; not later than `opens` means the day after.",
    }),
  },
  { $id: "OpeningHours" },
);
export type OpeningHours = Static<typeof OpeningHours>;

/** A place as operators import it. `external_id` is the id at its source. */
export const NewLocation = Type.Object(
  {
    carrier: Type.String({ minLength: 1, maxLength: 50, pattern: "^[a-z][a-z0-9_]*$" }),
    external_id: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    type: LocationType,
    address: NewAddress,
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    time_zone: Type.String({ maxLength: 50, examples: ["America/Toronto"] }),
    phone: Maybe(Type.String({ maxLength: 20 })),
    hours: Maybe(Type.Array(OpeningHours, { maxItems: 50 })),
    services: Maybe(Type.Array(LocationService, { uniqueItems: true })),
    accepts: Maybe(Type.Array(AcceptedItem, { uniqueItems: true })),
    active: Maybe(Type.Boolean()),
  },
  { $id: "NewLocation", additionalProperties: false },
);
export type NewLocation = Static<typeof NewLocation>;

/** A place as it is stored. */
export type KnownLocation = Omit<Static<typeof Location>, "id" | "updated_at" | "distance_km"> & {
  external_id: string;
};

/** A place as clients see it. */
export const Location = Type.Object(
  {
    id: Type.String({ examples: ["loc_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    name: Type.String(),
    type: Annotated(LocationType, {
      description: "The carrier's own branch, a partner's shop, or a depot of the carrier.",
    }),
    carrier: Type.String({ description: "The carrier's code." }),
    address: Address,
    latitude: Type.Number(),
    longitude: Type.Number(),
    phone: Nullable(Type.String()),
    time_zone: Type.String({ description: "Of the opening hours." }),
    hours: Type.Array(OpeningHours),
    services: Type.Array(LocationService),
    accepts: Type.Array(AcceptedItem),
    active: Type.Boolean({
      description: "False for a location that was closed: delete it from your copy.",
    }),
    distance_km: Type.Optional(
      Type.Number({ description: "From the middle of `postal_code`, where one was asked for." }),
    ),
    updated_at: Moment(),
  },
  { $id: "Location" },
);
export type Location = Static<typeof Location>;
