import type { SymbolKind } from "../../../drawing/marks.ts";

/** What makes one carrier's label look unlike another's. */
export interface CarrierStyle {
  /** The typeset name at the top. */
  name: string;
  /** The letter in the block at the top left, by which sorters tell the class of service. */
  block: (service: string) => string;
  /** The banner across the label; two languages where the carrier prints two. */
  banner: (service: string) => string;
  to: string;
  from: string;
  tracking: string;
  symbol: { kind: SymbolKind; width: number; height: number };
}

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

const isFast = (service: string) => /express|priority|overnight|next|2day/i.test(service);

export const carrierStyles: Record<string, CarrierStyle> = {
  canada_post: {
    name: "CANADA POST / POSTES CANADA",
    block: (service) => canadaPostBlock(service),
    banner: (service) => french(service),
    to: "TO / À",
    from: "FROM / EXP.",
    tracking: "PIN / NIP",
    symbol: { kind: "datamatrix", width: 56, height: 56 },
  },
  purolator: {
    name: "Purolator",
    block: (service) => (isFast(service) ? "E" : "G"),
    banner: (service) => (isFast(service) ? service : `${service} / Routier`),
    to: "TO / DEST.",
    from: "FROM / EXP.",
    tracking: "PIN / NIP",
    symbol: { kind: "pdf417", width: 118, height: 50 },
  },
  ups: {
    name: "UPS",
    block: (service) => (isFast(service) ? "1" : "G"),
    banner: (service) => service,
    to: "SHIP TO:",
    from: "FROM:",
    tracking: "TRACKING #:",
    symbol: { kind: "maxicode", width: 62, height: 59 },
  },
  fedex: {
    name: "FedEx",
    block: (service) => (isFast(service) ? "E" : "G"),
    banner: (service) => service,
    to: "TO",
    from: "ORIGIN:",
    tracking: "TRK#",
    symbol: { kind: "pdf417", width: 118, height: 50 },
  },
  usps: {
    name: "U.S. POSTAGE PAID",
    block: (service) => (/express/i.test(service) ? "E" : /priority/i.test(service) ? "P" : "G"),
    banner: (service) => (service.startsWith("USPS") ? service : `USPS ${service}`),
    to: "SHIP TO:",
    from: "FROM:",
    tracking: "USPS TRACKING #",
    symbol: { kind: "datamatrix", width: 56, height: 56 },
  },
};

const frenchNames: Record<string, string> = {
  "Regular Parcel": "Colis standard",
  "Expedited Parcel": "Colis accélérés",
};

function french(service: string): string {
  const other = frenchNames[service];
  return other ? `${service} / ${other}` : service;
}

/** A plain look for a carrier that has none of its own yet. */
export function styleOf(carrier: { code: string; name: string }): CarrierStyle {
  return carrierStyles[carrier.code] ?? { ...carrierStyles["fedex"]!, name: carrier.name };
}
