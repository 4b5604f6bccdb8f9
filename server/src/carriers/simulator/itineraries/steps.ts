import { freightWordings } from "./freight-wordings.ts";

/** What may happen to a package, and how each carrier says it. */

export type Step =
  | "announced"
  | "voided"
  | "picked_up"
  | "departed"
  | "arrived"
  | "customs"
  | "out_for_delivery"
  | "delivered"
  | "attempted"
  | "held"
  | "delayed"
  | "return_started"
  | "returned";

/** Code and words. A carrier without words for a step does not tell of it. */
export type Wording = readonly [code: string, text: string];

export type Wordings = Readonly<Partial<Record<Step, Wording>>>;

const wordings: Readonly<Record<string, Wordings>> = {
  canada_post: {
    announced: ["3000", "Electronic information submitted by shipper"],
    voided: ["3001", "Electronic information cancelled by shipper"],
    picked_up: ["2300", "Item picked up by Canada Post"],
    arrived: ["0100", "Item processed at postal facility"],
    customs: ["0810", "Item released by customs"],
    out_for_delivery: ["0174", "Item out for delivery"],
    delivered: ["1496", "Item successfully delivered"],
    attempted: ["0167", "Delivery attempted; nobody was in to receive the item"],
    held: ["1479", "Notice card left indicating where the item can be picked up"],
    delayed: ["0173", "Customer addressing error found; attempting to correct. Possible delay"],
    return_started: ["1417", "Item being returned to sender"],
    returned: ["1481", "Item returned to sender"],
  },
  purolator: {
    announced: ["Other", "Shipper created a label"],
    picked_up: ["ProofOfPickUp", "Picked up by Purolator"],
    departed: ["Other", "Departed sort facility"],
    arrived: ["Other", "Arrived at sort facility"],
    customs: ["Other", "Shipment cleared customs"],
    out_for_delivery: ["OnDelivery", "On vehicle for delivery"],
    delivered: ["Delivery", "Shipment delivered"],
    attempted: ["Undeliverable", "Attempted delivery - receiver not available"],
    held: ["Undeliverable", "Available for pickup for 5 business days at the counter"],
    delayed: ["Undeliverable", "Shipment delayed - weather conditions"],
    return_started: ["Undeliverable", "Shipment unclaimed - to be returned to sender"],
    returned: ["Undeliverable", "Shipment undeliverable - returned to sender"],
  },
  ups: {
    announced: ["003", "Shipper created a label, UPS has not received the package yet."],
    voided: ["007", "Shipment information voided"],
    picked_up: ["038", "Picked up by UPS"],
    departed: ["005", "Departed from Facility"],
    arrived: ["010", "Arrived at Facility"],
    customs: ["014", "Clearance Completed"],
    out_for_delivery: ["021", "Out For Delivery Today"],
    delivered: ["011", "DELIVERED"],
    attempted: [
      "022",
      "The receiver was not available for delivery. We'll make a second attempt the next business day.",
    ],
    held: ["040", "The package is ready for pickup at a UPS Access Point"],
    delayed: ["052", "Severe weather conditions have delayed delivery."],
    return_started: ["035", "The package will be returned to the sender."],
    returned: ["034", "Returned to Sender"],
  },
  fedex: {
    announced: ["OC", "Shipment information sent to FedEx"],
    voided: ["CA", "Shipment cancelled by sender"],
    picked_up: ["PU", "Picked up"],
    departed: ["DP", "Departed FedEx hub"],
    arrived: ["AR", "Arrived at FedEx hub"],
    customs: ["CC", "International shipment release - Import"],
    out_for_delivery: ["OD", "On FedEx vehicle for delivery"],
    delivered: ["DL", "Delivered"],
    attempted: ["DE", "Delivery exception: customer not available or business closed"],
    held: ["HL", "Ready for recipient pickup"],
    delayed: ["DY", "Delay: local weather"],
    return_started: ["RS", "Returning package to shipper"],
    returned: ["RS", "Package returned to shipper"],
  },
  usps: {
    announced: ["GX", "Shipping Label Created, USPS Awaiting Item"],
    picked_up: ["03", "USPS in possession of item"],
    departed: ["T1", "Departed USPS Regional Facility"],
    arrived: ["A1", "Arrived at USPS Regional Facility"],
    customs: ["81", "Processed Through Facility"],
    out_for_delivery: ["OF", "Out for Delivery"],
    delivered: ["01", "Delivered, In/At Mailbox"],
    attempted: ["55", "Delivery Attempted - No Access to Delivery Location"],
    held: ["16", "Available for Pickup"],
    delayed: ["WX", "Weather Delay"],
    return_started: ["27", "Unclaimed/Being Returned to Sender"],
    returned: ["09", "Returned to Sender"],
  },
  ...freightWordings,
};

/** Throws for a carrier that says nothing: whoever is added has to be given words. */
export function wordingsOf(carrier: string): Wordings {
  const own = wordings[carrier];
  if (!own) throw new Error(`No words for the events of ${carrier}.`);
  return own;
}
