import type { CarrierDescriptor } from "../carrier.ts";
import {
  simulatedFacts,
  simulatedManifestFacts,
  simulatedPickupFacts,
} from "../simulated/simulated-facts.ts";
import { credentials } from "./credentials.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const usps: CarrierDescriptor = {
  code: "usps",
  name: "USPS",
  mode: "courier",
  scac: "USPS",
  ...simulatedFacts,
  manifest: "optional",
  manifests: simulatedManifestFacts,
  trackingUrl: (trackingCode) =>
    `https://tools.usps.com/go/TrackConfirmAction?tLabels=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "02:00",
    window_minutes_min: 60,
    days_ahead_max: 30,
    ...simulatedPickupFacts,
    fee_cents: { CAD: 0, USD: 0 },
  },
};

/** The same carrier, called under a connection: as its documents describe it, and what is not in them as assumed. */
export const uspsOverRest: CarrierDescriptor = {
  ...usps,
  // The key of a purchase finds it. How soon, and for how long, is an assumption.
  lookUp: { by: "key", absence: "proof", after_seconds: 60 },
  // Until the file of the day is made; after it, a refund is asked for instead (its documents).
  voids: { kind: "api", until: "scan" },
  // No request of USPS's documents refuses a higher price.
  confirms_price: "after",
  evidence: "documents",
  manifest: "optional",
  // Its documents have no call that finds a SCAN form.
  manifests: { lookUp: { by: "none" }, takes: "named" },
  // No price of its documents names a currency (assumption).
  bills_in: "USD",
  credentials,
  listsLabels: false,
  // An assumption.
  purchaseTimeoutSeconds: 30,
  pickups: {
    ...usps.pickups!,
    // USPS knows pickups by its own number only (its documents).
    lookUp: { by: "none" },
    listsPickups: false,
  },
};
