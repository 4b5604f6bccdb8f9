import { packagesPerShipper, scatter } from "../../numbering.ts";
import { isFast } from "../helpers.ts";
import type { Courier } from "../profile.ts";
import { upsTariff } from "./tariff.ts";

export const ups: Courier = {
  tariff: upsTariff,

  tracking_codes: {
    prefix: "1Z",
    // Six characters of shipper, 03 for ground, seven digits of package.
    body: (seed, serial) => {
      const shipper = (seed + serial / packagesPerShipper) % 36n ** 5n;
      const letters = shipper.toString(36).toUpperCase().padStart(5, "0");
      return `R${letters}03${scatter(seed, serial % packagesPerShipper, 7)}`;
    },
    checkDigit,
  },

  // A PRN of eleven characters.
  pickupNumber: (serial, seed) => `29${seed.slice(0, 3).toUpperCase()}${serial.padStart(6, "0")}`,

  label: {
    name: "UPS",
    block: (service) => (isFast(service) ? "1" : "G"),
    banner: (service) => service,
    to: "SHIP TO:",
    from: "FROM:",
    tracking: "TRACKING #:",
    symbol: { kind: "maxicode", width: 62, height: 59 },
  },

  events: {
    announced: ["003", "Shipper created a label, UPS has not received the package yet."],
    voided: ["007", "Shipment information voided"],
    picked_up: ["038", "Picked up by UPS"],
    departed: ["005", "Departed from Facility"],
    arrived: ["010", "Arrived at Facility"],
    customs: ["014", "Clearance Completed"],
    out_for_delivery: ["021", "Out For Delivery Today"],
    delivered: ["011", "DELIVERED"],
    attempted: [
      "022",
      "The receiver was not available for delivery. We'll make a second attempt the next business day.",
    ],
    held: ["040", "The package is ready for pickup at a UPS Access Point"],
    delayed: ["052", "Severe weather conditions have delayed delivery."],
    return_started: ["035", "The package will be returned to the sender."],
    returned: ["034", "Returned to Sender"],
  },
};

/** UPS counts letters too, A as 2, B as 3 and so on in tens, and doubles every second position. */
function checkDigit(body: string): string {
  const value = (character: string) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;
  const sum = [...body].reduce(
    (total, character, index) => total + value(character) * (index % 2 === 0 ? 1 : 2),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
