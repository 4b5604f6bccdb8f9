import type { CarrierDescriptor } from "../carrier.ts";
import {
  simulatedFacts,
  simulatedManifestFacts,
  simulatedPickupFacts,
} from "../simulated/simulated-facts.ts";
import { credentials } from "./credentials.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

/** Canada Post as its documents describe it, and what is not in them as it is assumed. */
const real = {
  // Get Shipments finds a shipment by its customer-request-id, its documents say. How soon after the purchase
  // they do not: a minute is an assumption.
  lookUp: { by: "reference", absence: "proof", after_seconds: 60 },
  // A shipment is deleted until its manifest is made; after that a refund is asked for, of what was not scanned.
  voids: { kind: "api", until: "scan" },
  // Its request has no highest price. What was sold at a higher price is deleted before it is charged.
  confirms_price: "after",
  evidence: "documents",
  // Shipments of a group that is on no manifest are billed at full rates, its documents say.
  manifest: "required",
  // What is still in its group was not transmitted. How soon after the call it is in none is an assumption.
  manifests: {
    lookUp: { by: "reference", absence: "proof", after_seconds: 60 },
    takes: "named",
  },
  credentials,
  // The limits that its documents state of each contract's calls.
  budgets: {
    labels: { per_minute: 646 },
    rates: { per_minute: 730 },
    tracking: { per_minute: 20 },
  },
  // Its fields carry the account's id and the shipment's, and not all of our references.
  listsLabels: false,
  // An assumption.
  purchaseTimeoutSeconds: 30,
} as const;

export const canadaPost: CarrierDescriptor = {
  code: "canada_post",
  name: "Canada Post",
  mode: "courier",
  scac: null,
  ...simulatedFacts,
  manifest: "optional",
  manifests: simulatedManifestFacts,
  trackingUrl: (trackingCode) =>
    `https://www.canadapost-postescanada.ca/track-reperage/en#/details/${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "15:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    ...simulatedPickupFacts,
    fee_cents: { CAD: 350, USD: 255 },
  },
};

/** The same carrier, called under a connection. */
export const canadaPostOverRest: CarrierDescriptor = {
  ...canadaPost,
  ...real,
  pickups: {
    ...canadaPost.pickups!,
    // Its list has the open ones and twenty others (its documents): a missing one may have dropped out of it.
    lookUp: { by: "reference", absence: "hint", after_seconds: 60 },
    listsPickups: false,
  },
};
