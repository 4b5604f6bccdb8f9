import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";
import { trackingEvents } from "./tracking-events.ts";

export const usps: CarrierDescriptor = {
  code: "usps",
  name: "USPS",
  mode: "courier",
  scac: "USPS",
  findsByReference: true,
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  commitHorizonSeconds: 5,
  trackingUrl: (trackingCode) =>
    `https://tools.usps.com/go/TrackConfirmAction?tLabels=${trackingCode}`,
  trackingEvents,
  services,
  pickups: {
    cutoff: "02:00",
    window_minutes_min: 60,
    days_ahead_max: 30,
    findsByReference: true,
    listsPickups: true,
    fee_cents: { CAD: 0, USD: 0 },
  },
};
