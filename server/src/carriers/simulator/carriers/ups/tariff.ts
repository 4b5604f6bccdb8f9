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

const early = { ...air, serves_remote: false } as const;
const worldwide = { ...air, extras: ground.extras } as const;

export const upsTariff: CarrierTariff = {
  carrier: "ups",
  name: "UPS",
  fuel_percent: { ground: 19.75, air: 21.5 },
  residential_cents: 430,
  remote_cents: 1_480,
  oversize: { longest_cm: 122, length_plus_girth_cm: 267, amount_cents: 2_400 },
  extras: { signature: 575, adult_signature: 695, saturday_delivery: 1_600 },
  protection: { percent: 1.05, minimum_cents: 195 },
  serves_military: false,
  refunds_at_once: true,
  services: [
    {
      ...ground,
      code: "11",
      name: "UPS Standard",
      lanes: [
        lane("CA→CA", [1_130, 96, 40, 12], [1, 6, 850]),
        lane("CA→US", [1_590, 142, 92, 19], [2, 7, 850]),
        lane("US→CA", [1_460, 128, 74, 15], [2, 7, 850]),
      ],
    },
    {
      ...air,
      code: "02",
      name: { CA: "UPS Expedited", US: "UPS 2nd Day Air" },
      lanes: [
        lane("CA→CA", [1_720, 205, 88, 34], [2, 3, 3_000]),
        lane("US→US", [1_610, 240, 62, 26], [2, 2, 9_000]),
      ],
    },
    {
      ...air,
      code: "13",
      name: { CA: "UPS Express Saver", US: "UPS Next Day Air Saver" },
      lanes: [
        lane("CA→CA", [2_190, 262, 108, 45], [1, 2, 4_000]),
        lane("US→US", [2_840, 490, 92, 44], [1, 1, 9_000]),
      ],
    },
    {
      ...air,
      code: "01",
      name: { CA: "UPS Express", US: "UPS Next Day Air" },
      lanes: [
        lane("CA→CA", [2_680, 300, 120, 49], [1, 2, 4_000]),
        lane("US→US", [3_190, 540, 98, 47], [1, 1, 9_000]),
      ],
    },
    {
      ...early,
      code: "14",
      name: { CA: "UPS Express Early", US: "UPS Next Day Air Early" },
      lanes: [
        lane("CA→CA", [5_480, 345, 132, 54], [1, 2, 4_000]),
        lane("US→US", [6_650, 560, 104, 50], [1, 1, 9_000]),
      ],
    },
    {
      ...ground,
      code: "03",
      name: "UPS Ground",
      lanes: [lane("US→US", [940, 58, 34, 8], [1, 5, 900])],
    },
    {
      ...ground,
      code: "12",
      name: "UPS 3 Day Select",
      lanes: [
        lane("US→US", [1_330, 165, 52, 20], [3, 3, 9_000]),
        lane("CA→US", [2_280, 190, 130, 28], [3, 3, 9_000]),
      ],
    },
    {
      ...early,
      code: "59",
      name: "UPS 2nd Day Air A.M.",
      lanes: [lane("US→US", [1_890, 262, 66, 28], [2, 2, 9_000])],
    },
    {
      ...worldwide,
      code: "08",
      name: "UPS Worldwide Expedited",
      lanes: [
        lane("CA→US", [2_980, 225, 165, 36], [2, 4, 2_000]),
        lane("US→CA", [2_740, 205, 142, 30], [2, 4, 2_000]),
        lane("CA→world", [6_280, 1_310, 560, 140], [4, 7, 3_000]),
        lane("US→world", [5_640, 1_180, 470, 120], [4, 7, 3_000]),
      ],
    },
    {
      ...worldwide,
      code: "65",
      name: "UPS Worldwide Saver",
      lanes: [
        lane("CA→US", [3_390, 255, 182, 40], [1, 2, 3_000]),
        lane("US→CA", [3_120, 235, 158, 34], [1, 2, 3_000]),
        lane("CA→world", [7_140, 1_450, 640, 165], [2, 5, 4_500]),
        lane("US→world", [6_380, 1_300, 540, 140], [2, 5, 4_500]),
      ],
    },
    {
      ...worldwide,
      code: "07",
      name: "UPS Worldwide Express",
      lanes: [
        lane("CA→US", [3_720, 270, 190, 42], [1, 2, 3_000]),
        lane("US→CA", [3_430, 250, 165, 36], [1, 2, 3_000]),
        lane("CA→world", [7_680, 1_520, 670, 172], [2, 4, 5_000]),
        lane("US→world", [6_890, 1_370, 565, 148], [2, 4, 5_000]),
      ],
    },
    {
      ...worldwide,
      code: "54",
      name: "UPS Worldwide Express Plus",
      serves_remote: false,
      lanes: [
        lane("CA→US", [7_150, 310, 205, 46], [1, 2, 3_000]),
        lane("US→CA", [6_690, 290, 180, 40], [1, 2, 3_000]),
        lane("CA→world", [12_400, 1_640, 710, 180], [2, 4, 5_000]),
        lane("US→world", [11_200, 1_480, 600, 156], [2, 4, 5_000]),
      ],
    },
  ],
};
