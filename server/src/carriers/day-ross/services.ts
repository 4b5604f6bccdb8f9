import type { FreightService } from "../carrier.ts";

/**
 * What Day & Ross hauls: all of Canada, and between Canada and the United States, but nothing within them. Its
 * Commerce Solutions are two people who carry big things into homes.
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
  add_ons: [],
  max_units: 22,
  max_unit_weight_grams: 1_587_573,
  max_total_weight_grams: 9_071_847,
  max_length_cm: 732,
  max_height_cm: 244,
  accessorials: [...toTheDoor, "protect_from_freeze", "hazmat", "hold_at_terminal"],
  trackable: true,
  pickup_supported: false,
} as const;

export const services: readonly FreightService[] = [
  {
    ...standard,
    origins: ["CA"],
    destinations: ["CA"],
    reach: "domestic",
    code: "day_ross.domestic_standard",
    postage_type_id: 701,
    name: "Day & Ross Domestic Standard",
    carrier_service_code: "GL",
  },
  {
    ...standard,
    origins: ["CA", "US"],
    destinations: ["CA", "US"],
    reach: "international",
    code: "day_ross.transborder_standard",
    postage_type_id: 702,
    name: "Day & Ross Transborder Standard",
    carrier_service_code: "TB",
  },
  {
    ...standard,
    origins: ["CA"],
    destinations: ["CA"],
    reach: "domestic",
    max_units: 4,
    max_unit_weight_grams: 453_592,
    max_total_weight_grams: 907_185,
    max_length_cm: 244,
    accessorials: [...toTheDoor, "inside_pickup"],
    code: "day_ross.commerce_solutions",
    postage_type_id: 711,
    name: "Day & Ross Commerce Solutions",
    carrier_service_code: "CS",
  },
];
