import type { CarrierService } from "../carrier.ts";

/** What FedEx carries, from Canada and from the United States. Home Delivery and Express Saver are American only. */

const anywhere = {
  package_types: ["parcel", "envelope", "pak", "tube"],
  max_packages: 40,
  max_weight_grams: 68_039,
  max_length_cm: 274,
  max_length_plus_girth_cm: 330,
  requires_dimensions: false,
  delivers_to_po_box: false,
  max_declared_value_cents: 5_000_000,
  trackable: true,
  pickup_supported: true,
} as const;

const groundAddOns = ["protection", "signature", "adult_signature"] as const;
const airAddOns = [...groundAddOns, "saturday_delivery"] as const;

const domesticAir = {
  ...anywhere,
  origins: ["CA", "US"],
  destinations: ["CA", "US"],
  reach: "domestic",
  add_ons: airAddOns,
} as const;

const international = {
  ...anywhere,
  origins: ["CA", "US"],
  destinations: "world",
  reach: "international",
  add_ons: groundAddOns,
} as const;

const groundBody = {
  package_types: ["parcel", "pak", "tube"],
  max_length_plus_girth_cm: 419,
  add_ons: groundAddOns,
} as const;

export const services: readonly CarrierService[] = [
  {
    ...anywhere,
    ...groundBody,
    code: "fedex.ground",
    postage_type_id: 401,
    name: "FedEx Ground",
    carrier_service_code: "FEDEX_GROUND",
    origins: ["CA", "US"],
    destinations: ["CA", "US"],
    reach: "any",
  },
  {
    ...anywhere,
    ...groundBody,
    code: "fedex.home_delivery",
    postage_type_id: 402,
    name: "FedEx Home Delivery",
    carrier_service_code: "GROUND_HOME_DELIVERY",
    origins: ["US"],
    destinations: ["US"],
    reach: "domestic",
    max_weight_grams: 31_752,
  },
  {
    ...domesticAir,
    code: "fedex.express_saver",
    postage_type_id: 403,
    name: "FedEx Express Saver",
    carrier_service_code: "FEDEX_EXPRESS_SAVER",
    origins: ["US"],
    destinations: ["US"],
    add_ons: groundAddOns,
  },
  {
    ...domesticAir,
    code: "fedex.economy",
    postage_type_id: 404,
    name: "FedEx Economy",
    carrier_service_code: "FEDEX_ECONOMY",
    origins: ["CA"],
    destinations: ["CA"],
    add_ons: groundAddOns,
  },
  {
    ...domesticAir,
    code: "fedex.2day",
    postage_type_id: 411,
    name: "FedEx 2Day",
    carrier_service_code: "FEDEX_2_DAY",
  },
  {
    ...domesticAir,
    code: "fedex.standard_overnight",
    postage_type_id: 412,
    name: "FedEx Standard Overnight",
    carrier_service_code: "STANDARD_OVERNIGHT",
    add_ons: groundAddOns,
  },
  {
    ...domesticAir,
    code: "fedex.priority_overnight",
    postage_type_id: 413,
    name: "FedEx Priority Overnight",
    carrier_service_code: "PRIORITY_OVERNIGHT",
  },
  {
    ...domesticAir,
    code: "fedex.first_overnight",
    postage_type_id: 414,
    name: "FedEx First Overnight",
    carrier_service_code: "FIRST_OVERNIGHT",
  },
  {
    ...international,
    code: "fedex.international_connect_plus",
    postage_type_id: 421,
    name: "FedEx International Connect Plus",
    carrier_service_code: "FEDEX_INTERNATIONAL_CONNECT_PLUS",
    max_packages: 1,
    max_weight_grams: 20_000,
    package_types: ["parcel", "pak"],
    requires_dimensions: true,
  },
  {
    ...international,
    code: "fedex.international_economy",
    postage_type_id: 422,
    name: "FedEx International Economy",
    carrier_service_code: "INTERNATIONAL_ECONOMY",
  },
  {
    ...international,
    code: "fedex.international_priority",
    postage_type_id: 423,
    name: "FedEx International Priority",
    carrier_service_code: "FEDEX_INTERNATIONAL_PRIORITY",
  },
  {
    ...international,
    code: "fedex.international_priority_express",
    postage_type_id: 424,
    name: "FedEx International Priority Express",
    carrier_service_code: "FEDEX_INTERNATIONAL_PRIORITY_EXPRESS",
  },
  {
    ...international,
    code: "fedex.international_first",
    postage_type_id: 425,
    name: "FedEx International First",
    carrier_service_code: "INTERNATIONAL_FIRST",
  },
];
