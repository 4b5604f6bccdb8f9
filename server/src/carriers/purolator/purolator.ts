import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const purolator: CarrierDescriptor = {
  code: "purolator",
  name: "Purolator",
  mode: "courier",
  scac: "PRLA",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) =>
    `https://www.purolator.com/en/shipping/tracker?pin=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "15:00",
    window_minutes_min: 60,
    days_ahead_max: 10,
    lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
    listsPickups: true,
    fee_cents: { CAD: 0, USD: 0 },
  },
};
