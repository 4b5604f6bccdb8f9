import { scatter } from "../../numbering.ts";
import { isFast } from "../helpers.ts";
import type { Courier } from "../profile.ts";
import { fedexTariff } from "./tariff.ts";

export const fedex: Courier = {
  tariff: fedexTariff,

  tracking_codes: {
    prefix: "",
    body: (seed, serial) => scatter(seed, serial, 11),
    checkDigit,
  },

  // The depot and a number.
  pickupNumber: (serial, seed) => `YYZ${seed.slice(0, 2).toUpperCase()}${serial}`,

  label: {
    name: "FedEx",
    block: (service) => (isFast(service) ? "E" : "G"),
    banner: (service) => service,
    to: "TO",
    from: "ORIGIN:",
    tracking: "TRK#",
    symbol: { kind: "pdf417", width: 118, height: 50 },
  },

  events: {
    announced: ["OC", "Shipment information sent to FedEx"],
    voided: ["CA", "Shipment cancelled by sender"],
    picked_up: ["PU", "Picked up"],
    departed: ["DP", "Departed FedEx hub"],
    arrived: ["AR", "Arrived at FedEx hub"],
    customs: ["CC", "International shipment release - Import"],
    out_for_delivery: ["OD", "On FedEx vehicle for delivery"],
    delivered: ["DL", "Delivered"],
    attempted: ["DE", "Delivery exception: customer not available or business closed"],
    held: ["HL", "Ready for recipient pickup"],
    delayed: ["DY", "Delay: local weather"],
    return_started: ["RS", "Returning package to shipper"],
    returned: ["RS", "Package returned to shipper"],
  },
};

/** Weights 1, 3 and 7 in turn from the right, modulo 11; a ten counts as zero. */
function checkDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * [1, 3, 7][index % 3]!, 0);
  return String((sum % 11) % 10);
}
