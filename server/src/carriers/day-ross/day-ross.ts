import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { simulatedFacts } from "../simulated/simulated-facts.ts";
import { services } from "./services.ts";

export const dayRoss: CarrierDescriptor = {
  code: "day_ross",
  name: "Day & Ross",
  mode: "ltl",
  scac: "DAYR",
  ...simulatedFacts,
  manifest: "none",
  trackingUrl: (trackingCode) =>
    `https://dayross.com/en/track-shipments?probillNumber=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
