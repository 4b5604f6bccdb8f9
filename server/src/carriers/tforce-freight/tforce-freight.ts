import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { simulatedFacts } from "../simulated/simulated-facts.ts";
import { services } from "./services.ts";

export const tforceFreight: CarrierDescriptor = {
  code: "tforce_freight",
  name: "TForce Freight",
  mode: "ltl",
  scac: "UPGF",
  ...simulatedFacts,
  manifest: "none",
  trackingUrl: (trackingCode) =>
    `https://www.tforcefreight.com/ltl/apps/Tracking?proNumbers=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
