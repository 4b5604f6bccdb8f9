import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const ups: CarrierDescriptor = {
  code: "ups",
  name: "UPS",
  mode: "courier",
  scac: "UPSN",
  findsByReference: true,
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  commitHorizonSeconds: 5,
  trackingUrl: (trackingCode) => `https://www.ups.com/track?tracknum=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "16:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    findsByReference: true,
    listsPickups: true,
    fee_cents: { CAD: 750, USD: 547 },
  },
};
