import type { CarrierDescriptor } from "../carrier.ts";
import {
  simulatedFacts,
  simulatedManifestFacts,
  simulatedPickupFacts,
} from "../simulated/simulated-facts.ts";
import { credentials } from "./credentials.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

/** Purolator as its documents describe it, and what is not in them as it is assumed. */
const real = {
  // Only tracking finds packages by reference, and not several under one. How far it lags is an assumption.
  lookUp: { by: "reference", absence: "hint", after_seconds: 900 },
  // A sample of its documents refuses any other day's (1100429).
  voids: { kind: "api", until: "same_day" },
  // Its answer to a purchase has no price: an estimate is asked for just before.
  confirms_price: "by_rate_before",
  evidence: "documents",
  // Its documents have a consolidation at the end of the day, and do not say what happens without one.
  manifest: "optional",
  // Manifests are known by their day alone: which of several was ours cannot be told.
  manifests: { lookUp: { by: "none" }, takes: "all_open" },
  credentials,
  listsLabels: false,
  // An assumption.
  purchaseTimeoutSeconds: 30,
} as const;

export const purolator: CarrierDescriptor = {
  code: "purolator",
  name: "Purolator",
  mode: "courier",
  scac: "PRLA",
  ...simulatedFacts,
  manifest: "optional",
  manifests: simulatedManifestFacts,
  trackingUrl: (trackingCode) =>
    `https://www.purolator.com/en/shipping/tracker?pin=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "15:00",
    window_minutes_min: 60,
    days_ahead_max: 10,
    ...simulatedPickupFacts,
    fee_cents: { CAD: 0, USD: 0 },
  },
};

/** The same carrier, called under a connection. */
export const purolatorOverSoap: CarrierDescriptor = {
  ...purolator,
  ...real,
  pickups: {
    ...purolator.pickups!,
    // Its history is by day; how soon it shows a request is an assumption.
    lookUp: { by: "reference", absence: "hint", after_seconds: 60 },
    listsPickups: false,
  },
};
