import type { TrackingEventCodes } from "../tracking.ts";

/**
 * Purolator's scan types. There are five of them, so the text tells the rest; above all an `Undeliverable`
 * may be anything from a storm to a parcel that waits at the counter.
 */
export const trackingEvents: TrackingEventCodes = {
  ProofOfPickUp: "accepted",
  Other: "in_transit",
  "Other: New tracking number assigned": "pre_transit",
  "Other: Shipper created a label": "pre_transit",
  "Other: Shipment created": "pre_transit",
  "Other: Label information": "pre_transit",
  OnDelivery: "out_for_delivery",
  Delivery: "delivered",
  "Delivery: Transferring to Shipping Centre": "in_transit",
  Undeliverable: "exception",
  "Undeliverable: Arrived at sort facility": "in_transit",
  "Undeliverable: Departed sort facility": "in_transit",
  "Undeliverable: Shipment in transit": "in_transit",
  "Undeliverable: Shipment redirected": "in_transit",
  "Undeliverable: Attempted delivery": "attempted_delivery",
  "Undeliverable: Receiver not available": "attempted_delivery",
  "Undeliverable: Available for pickup": "available_for_pickup",
  "Undeliverable: Item held for pickup": "available_for_pickup",
  "Undeliverable: Item available for receiver": "available_for_pickup",
  "Undeliverable: Shipment available for pickup": "available_for_pickup",
  "Undeliverable: Shipment unclaimed": "return_to_sender",
  "Undeliverable: Shipment undeliverable": "return_to_sender",
  "Undeliverable: Unable to deliver - item returned": "return_to_sender",
  "Undeliverable: Returned to sender": "return_to_sender",
};
