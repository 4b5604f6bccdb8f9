import type { FreightServiceTariff, FreightTariff } from "../../pricing/freight-tariff.ts";
import { northernStates } from "../regions.ts";

/**
 * A family firm from Lake Huron: Ontario and the West with its own terminals up to Whitehorse and Yellowknife,
 * the Atlantic by partners, the states along the border, and no Nunavut. Ten pounds a cubic foot here too. Its
 * guarantee is called Rock Solid, and its drivers bring the PRO number with them, as a sticker.
 */

const standardAccessorials = [
  "liftgate_pickup",
  "liftgate_delivery",
  "inside_pickup",
  "inside_delivery",
  "residential_pickup",
  "residential_delivery",
  "limited_access_pickup",
  "limited_access_delivery",
  "appointment_delivery",
  "notify_before_delivery",
  "protect_from_freeze",
  "hazmat",
  "hold_at_terminal",
] as const;

const rockSolid = {
  reach: "domestic",
  goes_beyond: false,
  accessorials: ["liftgate_pickup", "liftgate_delivery", "notify_before_delivery"],
  max_total_weight_grams: 4_535_924,
} as const satisfies Partial<FreightServiceTariff>;

export const manitoulinTariff: FreightTariff = {
  carrier: "manitoulin",
  name: "Manitoulin Transport",
  currency: "CAD",
  weight_breaks: [
    { from_pounds: 0, percent: 100 },
    { from_pounds: 500, percent: 87 },
    { from_pounds: 1_000, percent: 76 },
    { from_pounds: 2_000, percent: 64 },
    { from_pounds: 5_000, percent: 53 },
    { from_pounds: 10_000, percent: 44 },
  ],
  class_spread_percent: 40,
  space: {
    pounds_per_cubic_foot: 10,
    linear_feet: { from_feet: 12, pounds_per_foot: 1_000 },
  },
  lanes: [
    {
      from: "CA",
      to: "CA",
      currency: "CAD",
      start_cents: 7_700,
      km_cents: 5.1,
      discount_percent: 67,
      minimum_cents: 12_200,
      fuel_percent: 30.4,
      days: { fastest: 1, slowest: 7, km_a_day: 680 },
    },
    {
      from: "CA",
      to: "US",
      currency: "CAD",
      start_cents: 16_200,
      km_cents: 11,
      discount_percent: 73,
      minimum_cents: 18_900,
      fuel_percent: 33,
      days: { fastest: 2, slowest: 7, km_a_day: 600 },
    },
    {
      from: "US",
      to: "CA",
      currency: "USD",
      start_cents: 13_000,
      km_cents: 9.5,
      discount_percent: 73,
      minimum_cents: 14_900,
      fuel_percent: 33,
      days: { fastest: 2, slowest: 7, km_a_day: 600 },
    },
  ],
  services: [
    {
      code: "LTL",
      reach: "any",
      premium: null,
      goes_beyond: true,
      accessorials: standardAccessorials,
      max_total_weight_grams: 9_071_847,
    },
    {
      ...rockSolid,
      code: "ROCKE",
      premium: { code: "rock_solid", name: "Rock Solid guarantee, by 5 p.m.", percent: 22 },
    },
    {
      ...rockSolid,
      code: "ROCKA",
      premium: { code: "rock_solid_noon", name: "Rock Solid guarantee, by noon", percent: 35 },
    },
  ],
  area: {
    direct: ["ON", "QC", "MB", "SK", "AB", "BC", "YT", "NT", ...northernStates],
    beyond: ["NB", "NS", "PE", "NL"],
    beyond_charge: { cwt_cents: 2_100, minimum_cents: 7_500 },
  },
  border_cents: 5_000,
  over_length: { from_cm: 366, amount_cents: 12_000 },
  accessorials: {
    liftgate_pickup: 7_000,
    liftgate_delivery: 7_000,
    inside_pickup: { cwt_cents: 850, minimum_cents: 7_500, maximum_cents: 40_000 },
    inside_delivery: { cwt_cents: 850, minimum_cents: 7_500, maximum_cents: 40_000 },
    residential_pickup: 7_500,
    residential_delivery: 7_500,
    limited_access_pickup: 6_000,
    limited_access_delivery: 6_000,
    appointment_delivery: 2_500,
    notify_before_delivery: 1_200,
    protect_from_freeze: { percent: 15, minimum_cents: 4_500 },
    hazmat: 6_000,
    hold_at_terminal: 0,
  },
  cancel_fees: { on_the_day_cents: 3_500, truck_sent_cents: 10_000 },
  pro_assigned_at: "pickup",
};
