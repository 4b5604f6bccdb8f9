import type { FreightCarrier } from "../profile.ts";
import { freightEvents, x12Codes } from "../x12-events.ts";
import { dayRossTariff } from "./tariff.ts";

export const dayRoss: FreightCarrier = {
  tariff: dayRossTariff,

  numbers: {
    confirmation: "DR",
    bol: "5",
    pro_prefix: "41",
    pro_digits: 7,
    proCheckDigit: elevenDigit,
    cancellation: "DRX",
  },

  events: {
    ...freightEvents,
    announced: [x12Codes.announced, "Order entered"],
    departed: [x12Codes.departed, "Linehaul departed terminal"],
    arrived: [x12Codes.arrived, "Linehaul arrived at terminal"],
    out_for_delivery: [x12Codes.out_for_delivery, "With city driver for delivery"],
    held: [x12Codes.held, "At terminal, ready for pickup by consignee"],
  },
};

/** Weights 2, 3, 4 … from the right, modulo 11; a ten counts as zero. */
function elevenDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index + 2), 0);
  return String((sum % 11) % 10);
}
