import type { CarrierDescriptor } from "../carrier.ts";
import { freightEvents } from "../freight-events.ts";
import { services } from "./services.ts";

export const manitoulin: CarrierDescriptor = {
  code: "manitoulin",
  name: "Manitoulin Transport",
  mode: "ltl",
  scac: "MANI",
  findsByReference: true,
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  commitHorizonSeconds: 5,
  trackingUrl: (trackingCode) =>
    `https://www.manitoulintransport.com/track-shipment/?probill=${trackingCode}`,
  trackingEvents: freightEvents,
  services,
};
