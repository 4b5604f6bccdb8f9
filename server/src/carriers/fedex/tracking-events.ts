import { eventCodes } from "../tracking.ts";

/** FedEx's two-letter event types. */
export const trackingEvents = eventCodes({
  pre_transit: "OC AP EP DS",
  cancelled: "CA",
  accepted: "PU PX OF",
  in_transit: "AA AC AF AO AR AX CC CH CP DP EA EO FD IT IX LO OX Ow PF PL PM SF SP TR",
  out_for_delivery: "AD ED OD",
  available_for_pickup: "HL HP",
  attempted_delivery: "DE",
  exception: "CD DD DY PD SE",
  return_to_sender: "RS",
  delivered: "DL",
});
