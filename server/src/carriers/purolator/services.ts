import type { CarrierService } from "../carrier.ts";

/**
 * What Purolator carries, from Canada only: at home by air or ground with a choice of morning
 * guarantees, to the United States, and by air to the world. It needs a street to deliver to.
 */

const anywhere = {
  origins: ["CA"],
  package_types: ["parcel", "envelope", "pak", "tube"],
  max_packages: 50,
  max_weight_grams: 68_039,
  max_length_cm: 274,
  max_length_plus_girth_cm: 419,
  requires_dimensions: false,
  delivers_to_po_box: false,
  max_declared_value_cents: 500_000,
  trackable: true,
  pickup_supported: true,
} as const;

const express = {
  ...anywhere,
  destinations: ["CA"],
  reach: "domestic",
  add_ons: ["protection", "signature", "adult_signature", "saturday_delivery"],
} as const;

const ground = {
  ...express,
  package_types: ["parcel", "pak", "tube"],
  add_ons: ["protection", "signature", "adult_signature"],
} as const;

const toTheUnitedStates = {
  ...anywhere,
  destinations: ["US"],
  reach: "international",
  add_ons: ["protection", "signature", "adult_signature"],
} as const;

export const services: readonly CarrierService[] = [
  {
    ...ground,
    code: "purolator.ground",
    postage_type_id: 201,
    name: "Purolator Ground",
    carrier_service_code: "PurolatorGround",
  },
  {
    ...ground,
    code: "purolator.ground_10_30am",
    postage_type_id: 202,
    name: "Purolator Ground 10:30AM",
    carrier_service_code: "PurolatorGround10:30AM",
  },
  {
    ...ground,
    code: "purolator.ground_9am",
    postage_type_id: 203,
    name: "Purolator Ground 9AM",
    carrier_service_code: "PurolatorGround9AM",
  },
  {
    ...express,
    code: "purolator.express",
    postage_type_id: 211,
    name: "Purolator Express",
    carrier_service_code: "PurolatorExpress",
  },
  {
    ...express,
    code: "purolator.express_12pm",
    postage_type_id: 212,
    name: "Purolator Express 12PM",
    carrier_service_code: "PurolatorExpress12PM",
  },
  {
    ...express,
    code: "purolator.express_10_30am",
    postage_type_id: 213,
    name: "Purolator Express 10:30AM",
    carrier_service_code: "PurolatorExpress10:30AM",
  },
  {
    ...express,
    code: "purolator.express_9am",
    postage_type_id: 214,
    name: "Purolator Express 9AM",
    carrier_service_code: "PurolatorExpress9AM",
  },
  {
    ...toTheUnitedStates,
    code: "purolator.ground_us",
    postage_type_id: 221,
    name: "Purolator Ground U.S.",
    carrier_service_code: "PurolatorGroundU.S.",
    package_types: ["parcel", "pak", "tube"],
  },
  {
    ...toTheUnitedStates,
    code: "purolator.express_us",
    postage_type_id: 222,
    name: "Purolator Express U.S.",
    carrier_service_code: "PurolatorExpressU.S.",
  },
  {
    ...toTheUnitedStates,
    code: "purolator.express_international",
    postage_type_id: 231,
    name: "Purolator Express International",
    carrier_service_code: "PurolatorExpressInternational",
    destinations: "world",
  },
];
