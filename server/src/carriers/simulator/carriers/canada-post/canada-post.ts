import { scatter, threeOneDigit } from "../../numbering.ts";
import { digitsOf } from "../helpers.ts";
import type { Courier } from "../profile.ts";
import { canadaPostTariff } from "./tariff.ts";

export const canadaPost: Courier = {
  tariff: canadaPostTariff,

  tracking_codes: {
    prefix: "",
    body: (seed, serial) => `70${scatter(seed, serial, 13)}`,
    checkDigit: threeOneDigit,
  },

  // Ten digits.
  pickupNumber: (serial, seed) => `00${digitsOf(seed, 2)}${serial.padStart(6, "0")}`,

  label: {
    name: "CANADA POST / POSTES CANADA",
    block: (service) => canadaPostBlock(service),
    banner: (service) => french(service),
    to: "TO / À",
    from: "FROM / EXP.",
    tracking: "PIN / NIP",
    symbol: { kind: "datamatrix", width: 56, height: 56 },
  },

  events: {
    announced: ["3000", "Electronic information submitted by shipper"],
    voided: ["3001", "Electronic information cancelled by shipper"],
    picked_up: ["2300", "Item picked up by Canada Post"],
    arrived: ["0100", "Item processed at postal facility"],
    customs: ["0810", "Item released by customs"],
    out_for_delivery: ["0174", "Item out for delivery"],
    delivered: ["1496", "Item successfully delivered"],
    attempted: ["0167", "Delivery attempted; nobody was in to receive the item"],
    held: ["1479", "Notice card left indicating where the item can be picked up"],
    delayed: ["0173", "Customer addressing error found; attempting to correct. Possible delay"],
    return_started: ["1417", "Item being returned to sender"],
    returned: ["1481", "Item returned to sender"],
  },
};

/** The post's classes in two letters: PRiority, XPresspost, EXpedited, Small Packet, Regular Parcel. */
function canadaPostBlock(service: string): string {
  const classes: [RegExp, string][] = [
    [/priority/i, "PR"],
    [/xpress/i, "XP"],
    [/expedited/i, "EX"],
    [/packet/i, "SP"],
  ];
  return classes.find(([name]) => name.test(service))?.[1] ?? "RP";
}

const frenchNames: Record<string, string> = {
  "Regular Parcel": "Colis standard",
  "Expedited Parcel": "Colis accélérés",
};

function french(service: string): string {
  const other = frenchNames[service];
  return other ? `${service} / ${other}` : service;
}
