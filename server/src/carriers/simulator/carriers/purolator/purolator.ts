import { luhnDigit, scatter } from "../../numbering.ts";
import { digitsOf, isFast } from "../helpers.ts";
import type { Courier } from "../profile.ts";
import { purolatorTariff } from "./tariff.ts";

export const purolator: Courier = {
  tariff: purolatorTariff,

  tracking_codes: {
    prefix: "",
    body: (seed, serial) => `329${scatter(seed, serial, 8)}`,
    checkDigit: luhnDigit,
  },

  // Eight digits.
  pickupNumber: (serial, seed) => `01${digitsOf(seed, 1)}${serial.padStart(5, "0")}`,

  label: {
    name: "Purolator",
    block: (service) => (isFast(service) ? "E" : "G"),
    banner: (service) => (isFast(service) ? service : `${service} / Routier`),
    to: "TO / DEST.",
    from: "FROM / EXP.",
    tracking: "PIN / NIP",
    symbol: { kind: "pdf417", width: 118, height: 50 },
  },

  events: {
    announced: ["Other", "Shipper created a label"],
    picked_up: ["ProofOfPickUp", "Picked up by Purolator"],
    departed: ["Other", "Departed sort facility"],
    arrived: ["Other", "Arrived at sort facility"],
    customs: ["Other", "Shipment cleared customs"],
    out_for_delivery: ["OnDelivery", "On vehicle for delivery"],
    delivered: ["Delivery", "Shipment delivered"],
    attempted: ["Undeliverable", "Attempted delivery - receiver not available"],
    held: ["Undeliverable", "Available for pickup for 5 business days at the counter"],
    delayed: ["Undeliverable", "Shipment delayed - weather conditions"],
    return_started: ["Undeliverable", "Shipment unclaimed - to be returned to sender"],
    returned: ["Undeliverable", "Shipment undeliverable - returned to sender"],
  },
};
