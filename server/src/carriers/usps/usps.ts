import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";

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
  services,
};
