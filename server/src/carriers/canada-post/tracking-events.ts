import { eventCodes } from "../tracking.ts";

/** Canada Post's event identifiers, in families: those for retail outlets and community mailboxes differ. */
export const trackingEvents = eventCodes({
  pre_transit: "3000",
  cancelled: "3001",
  accepted: "2300 1400 1402 1405",
  in_transit: "0100 0101 0102 0106 0107 0120 0127 0810",
  out_for_delivery: "0174 0500",
  available_for_pickup: "0118 0156 1407 1410 1435 1479 1488 1701",
  attempted_delivery: "0154 0167 0168 0169 0179 0181 0182",
  exception: "0117 2411 0159 0160 0161 0162 0163 0172 0173 2412",
  return_to_sender: "0150 1100 1415 1416 1417 1418 1419 1420 1450 1481 1482 1483 2600",
  delivered: "20 1408 1409 1421 1422 1441 1442 1496 1497 1498 1499",
});
