import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";

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
  services,
};
