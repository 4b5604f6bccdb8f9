import type { CarrierService } from "../carrier.ts";

/**
 * What UPS carries, from Canada and from the United States. UPS reuses its numbers: `01` is Express
 * within Canada and Next Day Air within the United States, so that a number means a service only
 * together with the country of origin.
 */

const anywhere = {
  package_types: ["parcel", "envelope", "pak", "tube"],
  max_packages: 50,
  max_weight_grams: 68_039,
  max_length_cm: 274,
  max_length_plus_girth_cm: 419,
  requires_dimensions: false,
  delivers_to_po_box: false,
  max_declared_value_cents: 5_000_000,
  trackable: true,
  pickup_supported: true,
} as const;

const groundAddOns = ["protection", "signature", "adult_signature"] as const;
const airAddOns = [...groundAddOns, "saturday_delivery"] as const;

const withinCanada = {
  ...anywhere,
  origins: ["CA"],
  destinations: ["CA"],
  reach: "domestic",
  add_ons: airAddOns,
} as const;

const withinTheUnitedStates = {
  ...anywhere,
  origins: ["US"],
  destinations: ["US"],
  reach: "domestic",
  add_ons: airAddOns,
} as const;

const worldwide = {
  ...anywhere,
  origins: ["CA", "US"],
  destinations: "world",
  reach: "international",
  add_ons: groundAddOns,
} as const;

export const services: readonly CarrierService[] = [
  {
    ...anywhere,
    code: "ups.standard",
    postage_type_id: 301,
    name: "UPS Standard",
    carrier_service_code: "11",
    origins: ["CA", "US"],
    destinations: ["CA", "US"],
    // Within the United States the same trucks are called Ground: there UPS returns no rate for this one.
    reach: "any",
    package_types: ["parcel", "pak", "tube"],
    add_ons: groundAddOns,
  },
  {
    ...withinCanada,
    code: "ups.expedited",
    postage_type_id: 302,
    name: "UPS Expedited",
    carrier_service_code: "02",
    package_types: ["parcel", "pak", "tube"],
  },
  {
    ...withinCanada,
    code: "ups.express_saver",
    postage_type_id: 303,
    name: "UPS Express Saver",
    carrier_service_code: "13",
  },
  {
    ...withinCanada,
    code: "ups.express",
    postage_type_id: 304,
    name: "UPS Express",
    carrier_service_code: "01",
  },
  {
    ...withinCanada,
    code: "ups.express_early",
    postage_type_id: 305,
    name: "UPS Express Early",
    carrier_service_code: "14",
  },
  {
    ...withinTheUnitedStates,
    code: "ups.ground",
    postage_type_id: 311,
    name: "UPS Ground",
    carrier_service_code: "03",
    package_types: ["parcel", "pak", "tube"],
    add_ons: groundAddOns,
  },
  {
    ...anywhere,
    code: "ups.3_day_select",
    postage_type_id: 312,
    name: "UPS 3 Day Select",
    carrier_service_code: "12",
    origins: ["CA", "US"],
    destinations: ["US"],
    reach: "any",
    package_types: ["parcel", "pak", "tube"],
    add_ons: groundAddOns,
  },
  {
    ...withinTheUnitedStates,
    code: "ups.2nd_day_air",
    postage_type_id: 313,
    name: "UPS 2nd Day Air",
    carrier_service_code: "02",
  },
  {
    ...withinTheUnitedStates,
    code: "ups.2nd_day_air_am",
    postage_type_id: 314,
    name: "UPS 2nd Day Air A.M.",
    carrier_service_code: "59",
  },
  {
    ...withinTheUnitedStates,
    code: "ups.next_day_air_saver",
    postage_type_id: 315,
    name: "UPS Next Day Air Saver",
    carrier_service_code: "13",
  },
  {
    ...withinTheUnitedStates,
    code: "ups.next_day_air",
    postage_type_id: 316,
    name: "UPS Next Day Air",
    carrier_service_code: "01",
  },
  {
    ...withinTheUnitedStates,
    code: "ups.next_day_air_early",
    postage_type_id: 317,
    name: "UPS Next Day Air Early",
    carrier_service_code: "14",
  },
  {
    ...worldwide,
    code: "ups.worldwide_expedited",
    postage_type_id: 321,
    name: "UPS Worldwide Expedited",
    carrier_service_code: "08",
    package_types: ["parcel", "pak", "tube"],
  },
  {
    ...worldwide,
    code: "ups.worldwide_saver",
    postage_type_id: 322,
    name: "UPS Worldwide Saver",
    carrier_service_code: "65",
  },
  {
    ...worldwide,
    code: "ups.worldwide_express",
    postage_type_id: 323,
    name: "UPS Worldwide Express",
    carrier_service_code: "07",
  },
  {
    ...worldwide,
    code: "ups.worldwide_express_plus",
    postage_type_id: 324,
    name: "UPS Worldwide Express Plus",
    carrier_service_code: "54",
  },
];
