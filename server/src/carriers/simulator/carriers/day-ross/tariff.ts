import type { FreightServiceTariff, FreightTariff } from "../../pricing/freight-tariff.ts";
import { canada, lowerStates } from "../regions.ts";

/**
 * A Canadian network from St. John's to Vancouver, with partners in the United States and the territories.
 * As most tariffs between points in Canada (its own DR1997 among them), it rates nearly all goods alike and
 * charges for space instead: a cubic foot counts as ten pounds.
 */

const toTheDoor = [
  "liftgate_pickup",
  "liftgate_delivery",
  "inside_delivery",
  "residential_pickup",
  "residential_delivery",
  "limited_access_pickup",
  "limited_access_delivery",
  "appointment_pickup",
  "appointment_delivery",
  "notify_before_delivery",
] as const;

const standard = {
  premium: null,
  goes_beyond: true,
  accessorials: [...toTheDoor, "protect_from_freeze", "hazmat", "hold_at_terminal"],
  max_total_weight_grams: 9_071_847,
} as const satisfies Partial<FreightServiceTariff>;

export const dayRossTariff: FreightTariff = {
  carrier: "day_ross",
  name: "Day & Ross",
  currency: "CAD",
  weight_breaks: [
    { from_pounds: 0, percent: 100 },
    { from_pounds: 500, percent: 88 },
    { from_pounds: 1_000, percent: 78 },
    { from_pounds: 2_000, percent: 66 },
    { from_pounds: 5_000, percent: 55 },
    { from_pounds: 10_000, percent: 46 },
  ],
  class_spread_percent: 35,
  space: {
    pounds_per_cubic_foot: 10,
    linear_feet: { from_feet: 14, pounds_per_foot: 900 },
  },
  lanes: [
    {
      from: "CA",
      to: "CA",
      currency: "CAD",
      start_cents: 8_100,
      km_cents: 5.2,
      discount_percent: 68,
      minimum_cents: 11_800,
      fuel_percent: 29.6,
      days: { fastest: 1, slowest: 8, km_a_day: 700 },
    },
    {
      from: "CA",
      to: "US",
      currency: "CAD",
      start_cents: 15_800,
      km_cents: 12,
      discount_percent: 74,
      minimum_cents: 17_500,
      fuel_percent: 32.5,
      days: { fastest: 2, slowest: 9, km_a_day: 650 },
    },
    {
      from: "US",
      to: "CA",
      currency: "USD",
      start_cents: 12_600,
      km_cents: 10,
      discount_percent: 74,
      minimum_cents: 14_000,
      fuel_percent: 32.5,
      days: { fastest: 2, slowest: 9, km_a_day: 650 },
    },
  ],
  services: [
    { ...standard, code: "GL", reach: "domestic" },
    { ...standard, code: "TB", reach: "cross_border", goes_beyond: false },
    {
      code: "CS",
      reach: "domestic",
      premium: { code: "two_person", name: "Two-person home delivery", percent: 32 },
      goes_beyond: false,
      accessorials: [...toTheDoor, "inside_pickup"],
      max_total_weight_grams: 907_185,
    },
  ],
  area: {
    direct: [...canada, ...lowerStates],
    beyond: ["YT", "NT", "NU"],
    beyond_charge: { cwt_cents: 4_800, minimum_cents: 18_500 },
  },
  border_cents: 4_500,
  over_length: { from_cm: 305, amount_cents: 9_500 },
  accessorials: {
    liftgate_pickup: 6_800,
    liftgate_delivery: 6_800,
    inside_pickup: { cwt_cents: 800, minimum_cents: 8_000, maximum_cents: 45_000 },
    inside_delivery: { cwt_cents: 800, minimum_cents: 8_000, maximum_cents: 45_000 },
    residential_pickup: 7_900,
    residential_delivery: 7_900,
    limited_access_pickup: 6_500,
    limited_access_delivery: 6_500,
    appointment_pickup: 3_000,
    appointment_delivery: 3_000,
    notify_before_delivery: 1_500,
    protect_from_freeze: { percent: 18, minimum_cents: 4_000 },
    hazmat: 5_500,
    hold_at_terminal: 0,
  },
  cancel_fees: { on_the_day_cents: 4_500, truck_sent_cents: 12_500 },
  pro_assigned_at: "booking",
};
