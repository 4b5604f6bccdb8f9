import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";

export const purolator: CarrierDescriptor = {
  code: "purolator",
  name: "Purolator",
  mode: "courier",
  scac: "PRLA",
  findsByReference: true,
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
  commitHorizonSeconds: 5,
  trackingUrl: (trackingCode) =>
    `https://www.purolator.com/en/shipping/tracker?pin=${trackingCode}`,
  services,
};
