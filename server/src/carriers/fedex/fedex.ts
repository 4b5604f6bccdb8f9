import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const fedex: CarrierDescriptor = {
  code: "fedex",
  name: "FedEx",
  mode: "courier",
  scac: "FDEG",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) => `https://www.fedex.com/fedextrack/?trknbr=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "14:00",
    window_minutes_min: 90,
    days_ahead_max: 14,
    lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
    listsPickups: true,
    fee_cents: { CAD: 0, USD: 0 },
  },
};
