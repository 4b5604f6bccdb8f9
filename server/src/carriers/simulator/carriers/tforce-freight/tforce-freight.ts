import type { FreightCarrier } from "../profile.ts";
import { freightEvents } from "../x12-events.ts";
import { tforceFreightTariff } from "./tariff.ts";

export const tforceFreight: FreightCarrier = {
  tariff: tforceFreightTariff,

  numbers: {
    confirmation: "WBU",
    bol: "",
    pro_prefix: "9",
    pro_digits: 7,
    proCheckDigit: (body) => String(BigInt(body) % 7n),
    cancellation: "WBX",
  },

  events: freightEvents,
};
