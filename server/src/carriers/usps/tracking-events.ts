import { eventCodes } from "../tracking.ts";

/** The Postal Service's event codes: two characters, of which the numbers from 21 on say why it comes back. */
export const trackingEvents = eventCodes({
  pre_transit: "GX MA TM",
  accepted: "03 OA PU 80",
  in_transit: "06 07 08 10 81 82 A1 AD EF L1 NT PC SF T1 TL U1 VF",
  out_for_delivery: "OF",
  available_for_pickup: "14 16",
  attempted_delivery: "02 52 53 54 55",
  exception: "05 11 33 56 57 DG IL WX",
  return_to_sender: "04 09 21 22 23 24 25 26 27 28 29",
  delivered: "01 41 43",
});
