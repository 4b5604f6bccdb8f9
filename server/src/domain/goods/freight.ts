import { Type, type Static } from "typebox";
import type { Cents } from "../values/money.ts";
import { WeightUnit, SizeUnit } from "./parcel.ts";
import { Nullable, OneOf } from "../values/schema.ts";

/** The parts of an LTL shipment (decision 5): handling units, and the two stops of the truck. */

export const freightClasses = [
  "50",
  "55",
  "60",
  "65",
  "70",
  "77.5",
  "85",
  "92.5",
  "100",
  "110",
  "125",
  "150",
  "175",
  "200",
  "250",
  "300",
  "400",
  "500",
] as const;
export type FreightClass = (typeof freightClasses)[number];
export const FreightClass = OneOf(freightClasses, { $id: "FreightClass" });

export const handlingUnitTypes = [
  "pallet",
  "crate",
  "drum",
  "box",
  "bundle",
  "roll",
  "tote",
  "other",
] as const;
export type HandlingUnitType = (typeof handlingUnitTypes)[number];
export const HandlingUnitType = OneOf(handlingUnitTypes, { $id: "HandlingUnitType" });

/** Services of a truck beyond dock to dock. Each belongs to a stop, or to the whole way. */
export const accessorials = [
  "liftgate_pickup",
  "liftgate_delivery",
  "inside_pickup",
  "inside_delivery",
  "residential_pickup",
  "residential_delivery",
  "limited_access_pickup",
  "limited_access_delivery",
  "appointment_pickup",
  "appointment_delivery",
  "notify_before_delivery",
  "protect_from_freeze",
  "hazmat",
  "hold_at_terminal",
] as const;
export type Accessorial = (typeof accessorials)[number];
export const Accessorial = OneOf(accessorials, { $id: "Accessorial" });

/** The kind of location at a stop. All but the first three are places of limited access. */
export const locationTypes = [
  "business_with_dock",
  "business_without_dock",
  "residential",
  "airport",
  "church",
  "construction_site",
  "farm",
  "government",
  "hospital",
  "hotel",
  "military",
  "mine",
  "prison",
  "school",
  "storage_facility",
  "trade_show",
] as const;
export type LocationType = (typeof locationTypes)[number];
export const LocationType = OneOf(locationTypes, { $id: "StopLocationType" });

/** An item of the National Motor Freight Classification, with its sub-item. */
export const nmfcPattern = "^\\d{1,6}(-\\d{1,2})?$";

/** `density`: the request left the class out, and it follows the unit's density when that changes. */
export const FreightClassSource = OneOf(["given", "density"], { $id: "FreightClassSource" });

/** As shipments store and show it: every field present, the class decided. */
export const HandlingUnit = Type.Object(
  {
    type: HandlingUnitType,
    quantity: Type.Integer({ description: "How many equal units." }),
    length: Type.Number(),
    width: Type.Number(),
    height: Type.Number(),
    size_unit: SizeUnit,
    weight: Type.Number({ description: "Of one unit, with its packing." }),
    weight_unit: WeightUnit,
    stackable: Type.Boolean(),
    freight_class: FreightClass,
    freight_class_source: FreightClassSource,
    nmfc_code: Nullable(Type.String()),
    description: Type.String(),
    pieces: Nullable(Type.Integer({ description: "In one unit." })),
    hazmat: Type.Boolean(),
  },
  { $id: "HandlingUnit" },
);
export type HandlingUnit = Static<typeof HandlingUnit>;

/** The contact at a stop; null is not given. */
export const Contact = Type.Object(
  {
    name: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    email: Nullable(Type.String()),
  },
  { $id: "Contact" },
);

const stop = {
  ready_time: Type.String({ description: "HH:MM, local time at the stop." }),
  close_time: Type.String(),
  location_type: LocationType,
  contact: Contact,
  instructions: Nullable(Type.String()),
  appointment_required: Type.Boolean(),
  accessorials: Type.Array(Accessorial, {
    description: "Those that the request named, and those that the location or the units require.",
  }),
  implied_accessorials: Type.Array(Accessorial, {
    description:
      "Of these, those that the location or the units require and the request did not name.",
  }),
};

export const FreightPickup = Type.Object(
  { date: Type.String({ format: "date" }), ...stop },
  { $id: "FreightPickup" },
);
export type FreightPickup = Static<typeof FreightPickup>;

export const FreightDelivery = Type.Object(stop, { $id: "FreightDelivery" });
export type FreightDelivery = Static<typeof FreightDelivery>;

/** The freight of a shipment, from one stop to the other: every field decided, no defaults left. */
export interface Freight {
  handling_units: readonly HandlingUnit[];
  pickup: FreightPickup;
  delivery: FreightDelivery;
}

/** The accessorials of both stops, each once: those of the whole way may be at either. */
export function accessorialsOf({ pickup, delivery }: Freight): Accessorial[] {
  return [...new Set([...pickup.accessorials, ...delivery.accessorials])];
}

/** The carrier's response to the cancellation of a booking. */
export interface FreightCancellation {
  /** The carrier's own number of the cancellation. */
  carrier_confirmation: string;
  /** The fee that it keeps of its price, in the currency of the booking. */
  fee_cents: Cents;
}
