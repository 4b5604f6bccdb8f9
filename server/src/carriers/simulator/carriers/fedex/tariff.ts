import { lane, type CarrierTariff, type ServiceTariff } from "../../pricing/tariff.ts";

const ground = {
  moves: "ground",
  max_weight_grams: 68_039,
  serves_remote: true,
  extras: ["protection", "signature", "adult_signature"],
} as const satisfies Partial<ServiceTariff>;

const air = {
  ...ground,
  moves: "air",
  extras: [...ground.extras, "saturday_delivery"],
} as const satisfies Partial<ServiceTariff>;

const weekday = { ...air, extras: ground.extras } as const;

export const fedexTariff: CarrierTariff = {
  carrier: "fedex",
  name: "FedEx",
  fuel_percent: { ground: 20.25, air: 21.25 },
  residential_cents: 445,
  remote_cents: 1_420,
  oversize: { longest_cm: 121, length_plus_girth_cm: 266, amount_cents: 2_350 },
  extras: { signature: 560, adult_signature: 715, saturday_delivery: 1_600 },
  protection: { percent: 1.1, minimum_cents: 180 },
  serves_military: false,
  refunds_at_once: true,
  services: [
    {
      ...ground,
      code: "FEDEX_GROUND",
      name: "FedEx Ground",
      lanes: [
        lane("CA→CA", [1_115, 97, 40, 12], [1, 6, 830]),
        lane("US→US", [930, 60, 34, 8], [1, 5, 880]),
        lane("CA→US", [1_575, 140, 94, 19], [2, 7, 830]),
        lane("US→CA", [1_440, 130, 75, 15], [2, 7, 830]),
      ],
    },
    {
      ...ground,
      code: "GROUND_HOME_DELIVERY",
      name: "FedEx Home Delivery",
      max_weight_grams: 31_752,
      lanes: [lane("US→US", [965, 60, 34, 8], [1, 5, 880])],
    },
    {
      ...weekday,
      code: "FEDEX_EXPRESS_SAVER",
      name: "FedEx Express Saver",
      lanes: [lane("US→US", [1_390, 160, 51, 20], [3, 3, 9_000])],
    },
    {
      ...weekday,
      code: "FEDEX_ECONOMY",
      name: "FedEx Economy",
      lanes: [lane("CA→CA", [1_560, 180, 78, 28], [2, 4, 2_000])],
    },
    {
      ...air,
      code: "FEDEX_2_DAY",
      name: "FedEx 2Day",
      lanes: [
        lane("CA→CA", [1_810, 215, 90, 35], [2, 2, 9_000]),
        lane("US→US", [1_585, 238, 62, 26], [2, 2, 9_000]),
      ],
    },
    {
      ...weekday,
      code: "STANDARD_OVERNIGHT",
      name: "FedEx Standard Overnight",
      lanes: [
        lane("CA→CA", [2_260, 268, 109, 45], [1, 2, 4_200]),
        lane("US→US", [2_810, 485, 92, 43], [1, 1, 9_000]),
      ],
    },
    {
      ...air,
      code: "PRIORITY_OVERNIGHT",
      name: "FedEx Priority Overnight",
      lanes: [
        lane("CA→CA", [2_640, 298, 119, 48], [1, 2, 4_200]),
        lane("US→US", [3_150, 535, 98, 46], [1, 1, 9_000]),
      ],
    },
    {
      ...air,
      code: "FIRST_OVERNIGHT",
      name: "FedEx First Overnight",
      serves_remote: false,
      lanes: [
        lane("CA→CA", [5_390, 340, 131, 53], [1, 2, 4_200]),
        lane("US→US", [6_590, 555, 103, 49], [1, 1, 9_000]),
      ],
    },
    {
      ...weekday,
      code: "FEDEX_INTERNATIONAL_CONNECT_PLUS",
      name: "FedEx International Connect Plus",
      max_weight_grams: 20_000,
      lanes: [
        lane("CA→US", [2_180, 185, 140, 28], [2, 4, 1_700]),
        lane("US→CA", [1_990, 165, 118, 24], [2, 4, 1_700]),
        lane("CA→world", [4_650, 980, 430, 110], [4, 8, 2_800]),
        lane("US→world", [4_180, 880, 370, 95], [4, 8, 2_800]),
      ],
    },
    {
      ...weekday,
      code: "INTERNATIONAL_ECONOMY",
      name: "FedEx International Economy",
      lanes: [
        lane("CA→US", [2_890, 220, 162, 35], [2, 5, 1_700]),
        lane("US→CA", [2_660, 200, 140, 30], [2, 5, 1_700]),
        lane("CA→world", [6_150, 1_280, 550, 138], [4, 7, 2_800]),
        lane("US→world", [5_520, 1_150, 460, 118], [4, 7, 2_800]),
      ],
    },
    {
      ...weekday,
      code: "FEDEX_INTERNATIONAL_PRIORITY",
      name: "FedEx International Priority",
      lanes: [
        lane("CA→US", [3_520, 260, 185, 41], [1, 2, 3_000]),
        lane("US→CA", [3_260, 240, 160, 35], [1, 2, 3_000]),
        lane("CA→world", [7_310, 1_470, 650, 168], [2, 5, 4_500]),
        lane("US→world", [6_540, 1_320, 550, 142], [2, 5, 4_500]),
      ],
    },
    {
      ...weekday,
      code: "FEDEX_INTERNATIONAL_PRIORITY_EXPRESS",
      name: "FedEx International Priority Express",
      lanes: [
        lane("CA→US", [3_840, 275, 192, 43], [1, 2, 3_000]),
        lane("US→CA", [3_560, 255, 167, 37], [1, 2, 3_000]),
        lane("CA→world", [7_860, 1_540, 680, 175], [2, 4, 5_000]),
        lane("US→world", [7_030, 1_390, 570, 150], [2, 4, 5_000]),
      ],
    },
    {
      ...weekday,
      code: "INTERNATIONAL_FIRST",
      name: "FedEx International First",
      serves_remote: false,
      lanes: [
        lane("CA→US", [7_020, 305, 203, 46], [1, 2, 3_000]),
        lane("US→CA", [6_580, 285, 178, 40], [1, 2, 3_000]),
        lane("CA→world", [12_150, 1_630, 705, 179], [2, 4, 5_000]),
        lane("US→world", [10_980, 1_470, 596, 154], [2, 4, 5_000]),
      ],
    },
  ],
};
