import { packagesPerShipper, scatter, threeOneDigit } from "../../numbering.ts";
import { digitsOf } from "../helpers.ts";
import type { Courier } from "../profile.ts";
import { uspsTariff } from "./tariff.ts";

export const usps: Courier = {
  tariff: uspsTariff,

  tracking_codes: {
    prefix: "",
    // 92 055 for Priority Mail with tracking, nine digits of mailer, seven of package.
    body: (seed, serial) => {
      const mailer = 900_000_000n + ((seed + serial / packagesPerShipper) % 100_000_000n);
      return `92055${mailer}${scatter(seed, serial % packagesPerShipper, 7)}`;
    },
    checkDigit: threeOneDigit,
  },

  // `WTC` and a number.
  pickupNumber: (serial, seed) => `WTC${digitsOf(seed, 3)}${serial.padStart(6, "0")}`,

  label: {
    name: "U.S. POSTAGE PAID",
    block: (service) => (/express/i.test(service) ? "E" : /priority/i.test(service) ? "P" : "G"),
    banner: (service) => (service.startsWith("USPS") ? service : `USPS ${service}`),
    to: "SHIP TO:",
    from: "FROM:",
    tracking: "USPS TRACKING #",
    symbol: { kind: "datamatrix", width: 56, height: 56 },
  },

  events: {
    announced: ["GX", "Shipping Label Created, USPS Awaiting Item"],
    picked_up: ["03", "USPS in possession of item"],
    departed: ["T1", "Departed USPS Regional Facility"],
    arrived: ["A1", "Arrived at USPS Regional Facility"],
    customs: ["81", "Processed Through Facility"],
    out_for_delivery: ["OF", "Out for Delivery"],
    delivered: ["01", "Delivered, In/At Mailbox"],
    attempted: ["55", "Delivery Attempted - No Access to Delivery Location"],
    held: ["16", "Available for Pickup"],
    delayed: ["WX", "Weather Delay"],
    return_started: ["27", "Unclaimed/Being Returned to Sender"],
    returned: ["09", "Returned to Sender"],
  },
};
