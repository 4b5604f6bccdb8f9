import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { services } from "./services.ts";

export const tforceFreight: CarrierDescriptor = {
  code: "tforce_freight",
  name: "TForce Freight",
  mode: "ltl",
  scac: "UPGF",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) =>
    `https://www.tforcefreight.com/ltl/apps/Tracking?proNumbers=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
