import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { simulatedFacts } from "../simulated/simulated-facts.ts";
import { services } from "./services.ts";

export const manitoulin: CarrierDescriptor = {
  code: "manitoulin",
  name: "Manitoulin Transport",
  mode: "ltl",
  scac: "MANI",
  ...simulatedFacts,
  manifest: "none",
  trackingUrl: (trackingCode) =>
    `https://www.manitoulintransport.com/track-shipment/?probill=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
