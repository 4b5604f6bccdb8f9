import { lane, type CarrierTariff, type ServiceTariff } from "../../pricing/tariff.ts";

const ground = {
  moves: "ground",
  max_weight_grams: 68_039,
  serves_remote: true,
  extras: ["protection", "signature", "adult_signature"],
} as const satisfies Partial<ServiceTariff>;

const express = {
  ...ground,
  moves: "air",
  extras: [...ground.extras, "saturday_delivery"],
} as const satisfies Partial<ServiceTariff>;

const morning = { ...express, serves_remote: false } as const;
const abroad = { ...express, extras: ground.extras } as const;

export const purolatorTariff: CarrierTariff = {
  carrier: "purolator",
  name: "Purolator",
  fuel_percent: { ground: 20.5, air: 22.75 },
  residential_cents: 315,
  remote_cents: 1_150,
  oversize: { longest_cm: 122, length_plus_girth_cm: 330, amount_cents: 2_050 },
  extras: { signature: 300, adult_signature: 500, saturday_delivery: 1_850 },
  protection: { percent: 1.1, minimum_cents: 150 },
  serves_military: false,
  refunds_at_once: true,
  services: [
    {
      ...ground,
      code: "PurolatorGround",
      name: "Purolator Ground",
      lanes: [lane("CA→CA", [1_095, 98, 41, 12], [1, 6, 800])],
    },
    {
      ...ground,
      code: "PurolatorGround10:30AM",
      name: "Purolator Ground 10:30AM",
      serves_remote: false,
      lanes: [lane("CA→CA", [1_985, 115, 46, 14], [1, 6, 800])],
    },
    {
      ...ground,
      code: "PurolatorGround9AM",
      name: "Purolator Ground 9AM",
      serves_remote: false,
      lanes: [lane("CA→CA", [2_690, 125, 49, 15], [1, 6, 800])],
    },
    {
      ...express,
      code: "PurolatorExpress",
      name: "Purolator Express",
      lanes: [lane("CA→CA", [2_140, 265, 110, 46], [1, 2, 4_000])],
    },
    {
      ...morning,
      code: "PurolatorExpress12PM",
      name: "Purolator Express 12PM",
      lanes: [lane("CA→CA", [2_480, 285, 116, 48], [1, 2, 4_000])],
    },
    {
      ...morning,
      code: "PurolatorExpress10:30AM",
      name: "Purolator Express 10:30AM",
      lanes: [lane("CA→CA", [2_790, 305, 122, 50], [1, 2, 4_000])],
    },
    {
      ...morning,
      code: "PurolatorExpress9AM",
      name: "Purolator Express 9AM",
      lanes: [lane("CA→CA", [3_560, 340, 130, 54], [1, 2, 4_000])],
    },
    {
      ...ground,
      code: "PurolatorGroundU.S.",
      name: "Purolator Ground U.S.",
      lanes: [lane("CA→US", [1_640, 150, 98, 20], [2, 7, 800])],
    },
    {
      ...abroad,
      code: "PurolatorExpressU.S.",
      name: "Purolator Express U.S.",
      lanes: [lane("CA→US", [3_480, 270, 195, 42], [1, 3, 2_600])],
    },
    {
      ...abroad,
      code: "PurolatorExpressInternational",
      name: "Purolator Express International",
      lanes: [lane("CA→world", [6_450, 1_420, 610, 160], [2, 6, 3_800])],
    },
  ],
};
