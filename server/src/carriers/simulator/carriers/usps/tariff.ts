import { lane, type CarrierTariff, type ServiceTariff } from "../../pricing/tariff.ts";

const mail = {
  moves: "ground",
  max_weight_grams: 31_752,
  serves_remote: true,
  extras: ["protection", "signature", "adult_signature"],
} as const satisfies Partial<ServiceTariff>;

const abroad = { ...mail, moves: "air", extras: ["protection"] } as const;

export const uspsTariff: CarrierTariff = {
  carrier: "usps",
  name: "USPS",
  // The Postal Service has no fuel surcharge: its prices move twice a year instead.
  fuel_percent: { ground: 0, air: 0 },
  residential_cents: 0,
  remote_cents: 0,
  oversize: { longest_cm: 76, length_plus_girth_cm: 275, amount_cents: 1_500 },
  extras: { signature: 395, adult_signature: 970, saturday_delivery: 0 },
  protection: { percent: 1.2, minimum_cents: 270 },
  serves_military: true,
  refunds_at_once: false,
  services: [
    {
      ...mail,
      code: "USPS_GROUND_ADVANTAGE",
      name: "USPS Ground Advantage",
      lanes: [lane("US→US", [720, 62, 48, 15], [2, 5, 900])],
    },
    {
      ...mail,
      code: "PRIORITY_MAIL",
      name: "Priority Mail",
      moves: "air",
      lanes: [lane("US→US", [910, 98, 62, 27], [1, 3, 1_500])],
    },
    {
      ...mail,
      code: "PRIORITY_MAIL_EXPRESS",
      name: "Priority Mail Express",
      moves: "air",
      lanes: [lane("US→US", [3_050, 410, 190, 62], [1, 2, 3_500])],
    },
    {
      ...abroad,
      code: "FIRST-CLASS_PACKAGE_INTERNATIONAL_SERVICE",
      name: "First-Class Package International Service",
      max_weight_grams: 1_814,
      extras: [],
      lanes: [
        lane("US→CA", [1_640, 70, 240, 18], [6, 14, 700]),
        lane("US→world", [2_150, 310, 380, 70], [7, 18, 1_000]),
      ],
    },
    {
      ...abroad,
      code: "PRIORITY_MAIL_INTERNATIONAL",
      name: "Priority Mail International",
      lanes: [
        lane("US→CA", [3_290, 190, 150, 32], [5, 9, 900]),
        lane("US→world", [4_680, 720, 360, 96], [6, 11, 1_800]),
      ],
    },
    {
      ...abroad,
      code: "PRIORITY_MAIL_EXPRESS_INTERNATIONAL",
      name: "Priority Mail Express International",
      lanes: [
        lane("US→CA", [4_990, 250, 195, 42], [3, 5, 1_600]),
        lane("US→world", [6_480, 960, 470, 128], [3, 6, 3_500]),
      ],
    },
  ],
};
