import type { CarrierDescriptor } from "../carrier.ts";
import { services } from "./services.ts";

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
  services,
};
