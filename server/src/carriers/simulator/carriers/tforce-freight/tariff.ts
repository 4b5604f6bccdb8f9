import { accessorials } from "../../../../domain/goods/freight.ts";
import type { FreightServiceTariff, FreightTariff } from "../../pricing/freight-tariff.ts";
import { lowerStates } from "../regions.ts";

/**
 * An American network that reaches the populous south of Canada. It rates by class alone, and charges for
 * space only when a shipment takes a good part of the trailer. It is calibrated with a recorded quote of 2024
 * (1,000 lb of class 92.5, Richmond to Saint Louis): gross 264.94 a hundredweight less 75 %, fuel 33.4 %, and
 * 25 % for the guarantee, with fuel on it.
 */

const guaranteed = {
  reach: "any",
  goes_beyond: false,
  accessorials: [
    "liftgate_pickup",
    "liftgate_delivery",
    "inside_delivery",
    "limited_access_pickup",
    "limited_access_delivery",
    "appointment_delivery",
    "notify_before_delivery",
  ],
  max_total_weight_grams: 4_535_924,
} as const satisfies Partial<FreightServiceTariff>;

export const tforceFreightTariff: FreightTariff = {
  carrier: "tforce_freight",
  name: "TForce Freight",
  currency: "USD",
  weight_breaks: [
    { from_pounds: 0, percent: 100 },
    { from_pounds: 500, percent: 82 },
    { from_pounds: 1_000, percent: 69 },
    { from_pounds: 2_000, percent: 58 },
    { from_pounds: 5_000, percent: 46 },
    { from_pounds: 10_000, percent: 38 },
    { from_pounds: 20_000, percent: 31 },
  ],
  class_spread_percent: 100,
  space: {
    pounds_per_cubic_foot: null,
    linear_feet: { from_feet: 20, pounds_per_foot: 750 },
  },
  lanes: [
    {
      from: "US",
      to: "US",
      currency: "USD",
      start_cents: 14_000,
      km_cents: 15,
      discount_percent: 80,
      minimum_cents: 12_500,
      fuel_percent: 33.4,
      days: { fastest: 1, slowest: 6, km_a_day: 800 },
    },
    {
      from: "CA",
      to: "US",
      currency: "CAD",
      start_cents: 17_000,
      km_cents: 13,
      discount_percent: 76,
      minimum_cents: 18_500,
      fuel_percent: 33.4,
      days: { fastest: 2, slowest: 8, km_a_day: 750 },
    },
    {
      from: "US",
      to: "CA",
      currency: "USD",
      start_cents: 13_500,
      km_cents: 11,
      discount_percent: 76,
      minimum_cents: 14_500,
      fuel_percent: 33.4,
      days: { fastest: 2, slowest: 8, km_a_day: 750 },
    },
    {
      from: "CA",
      to: "CA",
      currency: "CAD",
      start_cents: 9_400,
      km_cents: 6,
      discount_percent: 68,
      minimum_cents: 13_500,
      fuel_percent: 31.2,
      days: { fastest: 1, slowest: 7, km_a_day: 620 },
    },
  ],
  services: [
    {
      code: "308",
      reach: "any",
      premium: null,
      goes_beyond: true,
      accessorials,
      max_total_weight_grams: 9_071_847,
    },
    {
      ...guaranteed,
      code: "309",
      premium: { code: "guaranteed", name: "Guaranteed service", percent: 25 },
    },
    {
      ...guaranteed,
      code: "334",
      premium: { code: "guaranteed_am", name: "Guaranteed service by noon", percent: 38 },
    },
  ],
  area: {
    direct: [...lowerStates, "ON", "QC", "MB", "SK", "AB", "BC"],
    beyond: ["AK", "HI", "PR", "NB", "NS", "PE", "NL"],
    beyond_charge: { cwt_cents: 2_450, minimum_cents: 11_500 },
  },
  border_cents: 3_800,
  over_length: { from_cm: 244, amount_cents: 11_000 },
  accessorials: {
    liftgate_pickup: 11_500,
    liftgate_delivery: 11_500,
    inside_pickup: { cwt_cents: 1_050, minimum_cents: 9_500, maximum_cents: 69_500 },
    inside_delivery: { cwt_cents: 1_050, minimum_cents: 9_500, maximum_cents: 69_500 },
    residential_pickup: 12_900,
    residential_delivery: 12_900,
    limited_access_pickup: 11_000,
    limited_access_delivery: 11_000,
    appointment_pickup: 4_500,
    appointment_delivery: 4_500,
    notify_before_delivery: 3_400,
    protect_from_freeze: { cwt_cents: 420, minimum_cents: 4_600, maximum_cents: 34_500 },
    hazmat: 6_350,
    hold_at_terminal: 0,
  },
  cancel_fees: { on_the_day_cents: 5_000, truck_sent_cents: 15_000 },
  pro_assigned_at: "booking",
};
