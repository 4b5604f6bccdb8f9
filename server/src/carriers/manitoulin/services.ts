import type { FreightService } from "../carrier.ts";

/**
 * What Manitoulin Transport hauls: Canada but for Nunavut, and to and from the states along the border. Rock
 * Solid, its guarantee, is for plain freight between its own terminals in Canada.
 */

const ltl = {
  origins: ["CA", "US"],
  destinations: ["CA", "US"],
  reach: "any",
  add_ons: [],
  max_units: 26,
  max_unit_weight_grams: 2_041_166,
  max_total_weight_grams: 9_071_847,
  max_length_cm: 610,
  max_height_cm: 244,
  accessorials: [
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
  ],
  trackable: true,
  pickup_supported: false,
} as const;

const rockSolid = {
  ...ltl,
  origins: ["CA"],
  destinations: ["CA"],
  reach: "domestic",
  max_units: 10,
  max_total_weight_grams: 4_535_924,
  accessorials: ["liftgate_pickup", "liftgate_delivery", "notify_before_delivery"],
} as const;

export const services: readonly FreightService[] = [
  {
    ...ltl,
    code: "manitoulin.ltl",
    postage_type_id: 801,
    name: "Manitoulin LTL",
    carrier_service_code: "LTL",
  },
  {
    ...rockSolid,
    code: "manitoulin.rock_solid_evening",
    postage_type_id: 802,
    name: "Manitoulin Rock Solid, Evening",
    carrier_service_code: "ROCKE",
  },
  {
    ...rockSolid,
    code: "manitoulin.rock_solid_afternoon",
    postage_type_id: 803,
    name: "Manitoulin Rock Solid, Afternoon",
    carrier_service_code: "ROCKA",
  },
];
