import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const canadaPost: CarrierDescriptor = {
  code: "canada_post",
  name: "Canada Post",
  mode: "courier",
  scac: null,
  findsByReference: true,
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  commitHorizonSeconds: 5,
  trackingUrl: (trackingCode) =>
    `https://www.canadapost-postescanada.ca/track-reperage/en#/details/${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "15:00",
    window_minutes_min: 120,
    days_ahead_max: 14,
    findsByReference: true,
    listsPickups: true,
    fee_cents: { CAD: 350, USD: 255 },
  },
};
