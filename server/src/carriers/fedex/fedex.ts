import type { CarrierDescriptor } from "../carrier.ts";
import { simulatedFacts, simulatedPickupFacts } from "../simulated/simulated-facts.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const fedex: CarrierDescriptor = {
  code: "fedex",
  name: "FedEx",
  mode: "courier",
  scac: "FDEG",
  ...simulatedFacts,
  manifest: "none",
  trackingUrl: (trackingCode) => `https://www.fedex.com/fedextrack/?trknbr=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "14:00",
    window_minutes_min: 90,
    days_ahead_max: 14,
    ...simulatedPickupFacts,
    fee_cents: { CAD: 0, USD: 0 },
  },
};
