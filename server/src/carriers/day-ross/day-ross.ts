import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { services } from "./services.ts";

export const dayRoss: CarrierDescriptor = {
  code: "day_ross",
  name: "Day & Ross",
  mode: "ltl",
  scac: "DAYR",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) =>
    `https://dayross.com/en/track-shipments?probillNumber=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
