import type { CarrierService } from "../carrier.ts";

/**
 * What Canada Post carries, from Canada only. One shipment is one package. Weights and sizes are those
 * of its published parcel guide: 30 kg, two metres on the longest side, three metres with girth; the
 * small and tracked packets stop at two kilograms and at 60 cm.
 */

const parcel = {
  origins: ["CA"],
  package_types: ["parcel", "pak", "tube"],
  max_packages: 1,
  max_weight_grams: 30_000,
  max_length_cm: 200,
  max_length_plus_girth_cm: 300,
  requires_dimensions: false,
  delivers_to_po_box: true,
  max_declared_value_cents: 500_000,
  trackable: true,
  pickup_supported: true,
} as const;

const domestic = {
  ...parcel,
  destinations: ["CA"],
  reach: "domestic",
  add_ons: ["protection", "signature", "adult_signature"],
} as const;

const toTheUnitedStates = {
  ...parcel,
  destinations: ["US"],
  reach: "international",
  max_length_plus_girth_cm: 274,
  max_declared_value_cents: 100_000,
  add_ons: ["protection"],
} as const;

const abroad = { ...toTheUnitedStates, destinations: "world" } as const;

const packet = {
  max_weight_grams: 2_000,
  max_length_cm: 60,
  max_length_plus_girth_cm: 150,
  requires_dimensions: true,
  max_declared_value_cents: 10_000,
} as const;

export const services: readonly CarrierService[] = [
  {
    ...domestic,
    code: "canada_post.regular_parcel",
    postage_type_id: 101,
    name: "Regular Parcel",
    carrier_service_code: "DOM.RP",
  },
  {
    ...domestic,
    code: "canada_post.expedited_parcel",
    postage_type_id: 102,
    name: "Expedited Parcel",
    carrier_service_code: "DOM.EP",
  },
  {
    ...domestic,
    code: "canada_post.xpresspost",
    postage_type_id: 103,
    name: "Xpresspost",
    carrier_service_code: "DOM.XP",
    package_types: ["parcel", "envelope", "pak", "tube"],
  },
  {
    ...domestic,
    code: "canada_post.priority",
    postage_type_id: 104,
    name: "Priority",
    carrier_service_code: "DOM.PC",
    package_types: ["parcel", "envelope", "pak", "tube"],
  },
  {
    ...toTheUnitedStates,
    code: "canada_post.expedited_usa",
    postage_type_id: 111,
    name: "Expedited Parcel USA",
    carrier_service_code: "USA.EP",
  },
  {
    ...toTheUnitedStates,
    code: "canada_post.xpresspost_usa",
    postage_type_id: 112,
    name: "Xpresspost USA",
    carrier_service_code: "USA.XP",
    package_types: ["parcel", "envelope", "pak", "tube"],
    add_ons: ["protection", "signature"],
  },
  {
    ...toTheUnitedStates,
    ...packet,
    code: "canada_post.tracked_packet_usa",
    postage_type_id: 113,
    name: "Tracked Packet USA",
    carrier_service_code: "USA.TP",
    add_ons: [],
  },
  {
    ...toTheUnitedStates,
    ...packet,
    code: "canada_post.small_packet_usa_air",
    postage_type_id: 114,
    name: "Small Packet USA Air",
    carrier_service_code: "USA.SP.AIR",
    trackable: false,
    add_ons: [],
  },
  {
    ...abroad,
    code: "canada_post.xpresspost_international",
    postage_type_id: 121,
    name: "Xpresspost International",
    carrier_service_code: "INT.XP",
    package_types: ["parcel", "envelope", "pak", "tube"],
    add_ons: ["protection", "signature"],
  },
  {
    ...abroad,
    code: "canada_post.international_parcel_air",
    postage_type_id: 122,
    name: "International Parcel Air",
    carrier_service_code: "INT.IP.AIR",
    trackable: false,
  },
  {
    ...abroad,
    code: "canada_post.international_parcel_surface",
    postage_type_id: 123,
    name: "International Parcel Surface",
    carrier_service_code: "INT.IP.SURF",
    trackable: false,
  },
  {
    ...abroad,
    ...packet,
    code: "canada_post.tracked_packet_international",
    postage_type_id: 124,
    name: "Tracked Packet International",
    carrier_service_code: "INT.TP",
    add_ons: [],
  },
];
