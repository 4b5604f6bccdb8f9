import type { CarrierDescriptor } from "../carrier.ts";
import { simulatedFacts, simulatedPickupFacts } from "../simulated/simulated-facts.ts";
import { credentials } from "./credentials.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

/** UPS as its documents describe it, and what is not in them as it is assumed. */
const real = {
  // Only tracking finds labels by reference, and it lags: how long is an assumption.
  lookUp: { by: "reference", absence: "hint", after_seconds: 900 },
  // Within 90 days by other projects' experience, and never after the first scan.
  voids: { kind: "api", until: "scan" },
  // No request of UPS's documents refuses a higher price.
  confirms_price: "after",
  evidence: "documents",
  manifest: "none",
  credentials,
  listsLabels: false,
  // An assumption: recorded purchases took two seconds.
  purchaseTimeoutSeconds: 30,
} as const;

export const ups: CarrierDescriptor = {
  code: "ups",
  name: "UPS",
  mode: "courier",
  scac: "UPSN",
  ...simulatedFacts,
  manifest: "none",
  trackingUrl: (trackingCode) => `https://www.ups.com/track?tracknum=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "16:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    ...simulatedPickupFacts,
    fee_cents: { CAD: 750, USD: 547 },
  },
};

/** The same carrier, called under a connection. */
export const upsOverRest: CarrierDescriptor = {
  ...ups,
  ...real,
  pickups: {
    ...ups.pickups!,
    // The list of pending pickups has those of today and tomorrow only (its documents).
    lookUp: { by: "reference", absence: "hint", after_seconds: 60 },
    listsPickups: false,
  },
};
