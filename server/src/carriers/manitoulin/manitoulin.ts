import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { services } from "./services.ts";

export const manitoulin: CarrierDescriptor = {
  code: "manitoulin",
  name: "Manitoulin Transport",
  mode: "ltl",
  scac: "MANI",
  lookUp: { by: "reference", absence: "proof", after_seconds: 5 },
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  manifest: "none",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  trackingUrl: (trackingCode) =>
    `https://www.manitoulintransport.com/track-shipment/?probill=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
