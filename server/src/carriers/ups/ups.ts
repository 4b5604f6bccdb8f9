import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const ups: CarrierDescriptor = {
  code: "ups",
  name: "UPS",
  mode: "courier",
  scac: "UPSN",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) => `https://www.ups.com/track?tracknum=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "16:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
    listsPickups: true,
    fee_cents: { CAD: 750, USD: 547 },
  },
};
