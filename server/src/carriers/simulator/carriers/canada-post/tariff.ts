import { lane, type CarrierTariff, type ServiceTariff } from "../../pricing/tariff.ts";

const parcel = {
  moves: "ground",
  max_weight_grams: 30_000,
  serves_remote: true,
  extras: ["protection", "signature", "adult_signature"],
} as const satisfies Partial<ServiceTariff>;

const byAir = { ...parcel, moves: "air" } as const;
const packet = { ...byAir, max_weight_grams: 2_000, extras: [] } as const;

export const canadaPostTariff: CarrierTariff = {
  carrier: "canada_post",
  name: "Canada Post",
  fuel_percent: { ground: 17.5, air: 19.25 },
  residential_cents: 0,
  remote_cents: 0,
  oversize: { longest_cm: 100, length_plus_girth_cm: 260, amount_cents: 1_600 },
  extras: { signature: 200, adult_signature: 375, saturday_delivery: 0 },
  protection: { percent: 1, minimum_cents: 75 },
  serves_military: true,
  refunds_at_once: false,
  services: [
    {
      ...parcel,
      code: "DOM.RP",
      name: "Regular Parcel",
      lanes: [lane("CA→CA", [985, 92, 42, 13], [2, 9, 550])],
    },
    {
      ...parcel,
      code: "DOM.EP",
      name: "Expedited Parcel",
      lanes: [lane("CA→CA", [1_045, 101, 45, 14], [1, 7, 700])],
    },
    {
      ...byAir,
      code: "DOM.XP",
      name: "Xpresspost",
      lanes: [lane("CA→CA", [1_390, 190, 85, 32], [1, 3, 2_000])],
    },
    {
      ...byAir,
      code: "DOM.PC",
      name: "Priority",
      lanes: [lane("CA→CA", [2_480, 310, 140, 55], [1, 2, 4_000])],
    },
    {
      ...parcel,
      code: "USA.EP",
      name: "Expedited Parcel USA",
      extras: ["protection"],
      lanes: [lane("CA→US", [1_560, 135, 105, 19], [4, 9, 900])],
    },
    {
      ...byAir,
      code: "USA.XP",
      name: "Xpresspost USA",
      extras: ["protection", "signature"],
      lanes: [lane("CA→US", [2_690, 210, 180, 35], [2, 4, 1_800])],
    },
    {
      ...packet,
      code: "USA.TP",
      name: "Tracked Packet USA",
      lanes: [lane("CA→US", [1_180, 60, 190, 12], [5, 9, 900])],
    },
    {
      ...packet,
      code: "USA.SP.AIR",
      name: "Small Packet USA Air",
      lanes: [lane("CA→US", [860, 45, 160, 10], [6, 12, 700])],
    },
    {
      ...byAir,
      code: "INT.XP",
      name: "Xpresspost International",
      extras: ["protection", "signature"],
      lanes: [lane("CA→world", [5_250, 1_150, 520, 140], [4, 7, 3_500])],
    },
    {
      ...byAir,
      code: "INT.IP.AIR",
      name: "International Parcel Air",
      extras: ["protection"],
      lanes: [lane("CA→world", [3_780, 790, 430, 110], [6, 12, 1_800])],
    },
    {
      ...parcel,
      code: "INT.IP.SURF",
      name: "International Parcel Surface",
      extras: ["protection"],
      lanes: [lane("CA→world", [2_850, 510, 260, 60], [25, 60, 300])],
    },
    {
      ...packet,
      code: "INT.TP",
      name: "Tracked Packet International",
      lanes: [lane("CA→world", [2_060, 280, 420, 90], [6, 11, 2_000])],
    },
  ],
};
