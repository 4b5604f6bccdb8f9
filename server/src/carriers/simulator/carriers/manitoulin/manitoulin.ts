import { luhnDigit } from "../../numbering.ts";
import type { FreightCarrier } from "../profile.ts";
import { freightEvents, x12Codes } from "../x12-events.ts";
import { manitoulinTariff } from "./tariff.ts";

export const manitoulin: FreightCarrier = {
  tariff: manitoulinTariff,

  numbers: {
    confirmation: "MTP",
    bol: "2",
    pro_prefix: "55",
    pro_digits: 7,
    proCheckDigit: luhnDigit,
    cancellation: "MTX",
  },

  events: {
    ...freightEvents,
    announced: [x12Codes.announced, "Pickup booked"],
    picked_up: [x12Codes.picked_up, "Picked up, probill assigned"],
    departed: [x12Codes.departed, "Left terminal"],
    arrived: [x12Codes.arrived, "Arrived at terminal"],
    held: [x12Codes.held, "Waiting at terminal for consignee"],
  },
};
