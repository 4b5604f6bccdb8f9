import { accessorials } from "../../domain/goods/freight.ts";
import type { FreightService } from "../carrier.ts";

/**
 * What TForce Freight hauls: anywhere in the United States and in Canada, and across the border, dock to dock
 * with all accessorials. Its guarantees are for freight without special handling.
 */

const ltl = {
  origins: ["CA", "US"],
  destinations: ["CA", "US"],
  reach: "any",
  add_ons: [],
  max_units: 26,
  max_unit_weight_grams: 1_814_369,
  max_total_weight_grams: 9_071_847,
  max_length_cm: 610,
  max_height_cm: 239,
  accessorials,
  trackable: true,
  pickup_supported: false,
} as const;

const guaranteed = {
  ...ltl,
  max_units: 12,
  max_total_weight_grams: 4_535_924,
  max_length_cm: 305,
  accessorials: [
    "liftgate_pickup",
    "liftgate_delivery",
    "inside_delivery",
    "limited_access_pickup",
    "limited_access_delivery",
    "appointment_delivery",
    "notify_before_delivery",
  ],
} as const;

export const services: readonly FreightService[] = [
  {
    ...ltl,
    code: "tforce_freight.ltl",
    postage_type_id: 601,
    name: "TForce Freight LTL",
    carrier_service_code: "308",
  },
  {
    ...guaranteed,
    code: "tforce_freight.guaranteed",
    postage_type_id: 602,
    name: "TForce Freight Guaranteed",
    carrier_service_code: "309",
  },
  {
    ...guaranteed,
    code: "tforce_freight.guaranteed_am",
    postage_type_id: 603,
    name: "TForce Freight Guaranteed A.M.",
    carrier_service_code: "334",
  },
];
