import { eventCodes } from "./tracking.ts";

/**
 * The meaning of the codes of the ANSI X12 214 message (shipment status, segment AT7), with which freight
 * carriers report a shipment's transit. One table, because the trade shares it.
 */
export const freightEvents = eventCodes({
  pre_transit: "XB AA AB X3 NA",
  accepted: "AF CP",
  in_transit: "P1 X4 K1 J1 R1 AG CD L1 AM",
  out_for_delivery: "X6 X1 AJ",
  delivered: "D1",
  attempted_delivery: "AP A7",
  available_for_pickup: "AV",
  exception: "SD A9 BG",
  return_to_sender: "A3",
  cancelled: "CA",
});
