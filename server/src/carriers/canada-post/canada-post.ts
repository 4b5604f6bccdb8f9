import type { CarrierDescriptor } from "../carrier.ts";
import { credentials } from "./credentials.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const canadaPost: CarrierDescriptor = {
  code: "canada_post",
  name: "Canada Post",
  mode: "courier",
  scac: null,
  // The documents of Get Shipments say that it finds a shipment by its customer-request-id. How soon after the
  // purchase is not said: a minute is our assumption.
  lookUp: { by: "reference", absence: "proof", after_seconds: 60 },
  // A shipment is deleted until its manifest is made; after that a refund is asked for, of what was not scanned.
  voids: { kind: "api", until: "scan" },
  // Its request has no highest price. What was sold dearer is deleted before it is charged.
  confirms_price: "after",
  evidence: "documents",
  // Shipments of a group that no manifest has are billed at full rates, the documents say.
  manifest: "required",
  credentials,
  // Its fields carry the account's id and the shipment's, and not all of our references.
  listsLabels: false,
  // Assumption.
  purchaseTimeoutSeconds: 30,
  trackingUrl: (trackingCode) =>
    `https://www.canadapost-postescanada.ca/track-reperage/en#/details/${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    // Availability names the hour of each postal code; most are later (assumption).
    cutoff: "15:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    // Its list has the open ones and twenty others: a missing one may have dropped out of it.
    lookUp: { by: "reference", absence: "hint", after_seconds: 60 },
    listsPickups: false,
    // The price of a pickup for customers without a contract, in other projects; by contract it may be free.
    fee_cents: { CAD: 350 },
  },
};
