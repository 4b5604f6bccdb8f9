import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const canadaPost: CarrierDescriptor = {
  code: "canada_post",
  name: "Canada Post",
  mode: "courier",
  scac: null,
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) =>
    `https://www.canadapost-postescanada.ca/track-reperage/en#/details/${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "15:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
    listsPickups: true,
    fee_cents: { CAD: 350, USD: 255 },
  },
};
