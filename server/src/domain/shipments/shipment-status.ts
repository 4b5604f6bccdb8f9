import { OneOf } from "../values/schema.ts";

/** The type of a shipment: parcels, or freight on pallets (spec 2.2). */
export const shipmentTypes = ["courier", "ltl"] as const;
export type ShipmentType = (typeof shipmentTypes)[number];
export const ShipmentType = OneOf(shipmentTypes, { $id: "ShipmentType" });

/** Every state of a shipment (decision 22). */
export const shipmentStatuses = [
  "draft",
  "purchasing",
  "purchase_pending",
  "purchased",
  "void_pending",
  "voided",
  "cancelled",
  "in_transit",
  "delivered",
  "exception",
  "returned",
  "booked",
] as const;
export type ShipmentStatus = (typeof shipmentStatuses)[number];
export const ShipmentStatus = OneOf(shipmentStatuses, { $id: "ShipmentStatus" });

/** Of the refund of a voided label (decision 8). */
export const RefundStatus = OneOf(["pending", "approved", "rejected"] as const, {
  $id: "RefundStatus",
});

export const trackingStatuses = [
  "unknown",
  "pre_transit",
  "accepted",
  "in_transit",
  "out_for_delivery",
  "available_for_pickup",
  "attempted_delivery",
  "delivered",
  "exception",
  "return_to_sender",
  "cancelled",
] as const;
export type TrackingStatus = (typeof trackingStatuses)[number];
export const TrackingStatus = OneOf(trackingStatuses, { $id: "TrackingStatus" });

/** Of a package on its way: its estimated day is over, or its carrier had no news of it for three days. */
export const trackingDelays = ["late", "not_scanned"] as const;
export type TrackingDelay = (typeof trackingDelays)[number];
