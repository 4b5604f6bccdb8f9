import type { CarrierService } from "../carrier.ts";

/**
 * What the United States Postal Service carries, from the United States only. One shipment is one
 * package of at most 70 lb; the first-class package to the world stops at 4 lb.
 */

const mail = {
  origins: ["US"],
  package_types: ["parcel", "envelope", "pak", "tube"],
  max_packages: 1,
  max_weight_grams: 31_752,
  max_length_cm: 274,
  max_length_plus_girth_cm: 274,
  requires_dimensions: false,
  delivers_to_po_box: true,
  max_declared_value_cents: 500_000,
  trackable: true,
  pickup_supported: true,
} as const;

const domestic = {
  ...mail,
  destinations: ["US"],
  reach: "domestic",
  add_ons: ["protection", "signature", "adult_signature"],
} as const;

const international = {
  ...mail,
  destinations: "world",
  reach: "international",
  max_length_cm: 152,
  max_declared_value_cents: 200_000,
  add_ons: ["protection"],
} as const;

export const services: readonly CarrierService[] = [
  {
    ...domestic,
    code: "usps.ground_advantage",
    postage_type_id: 501,
    name: "USPS Ground Advantage",
    carrier_service_code: "USPS_GROUND_ADVANTAGE",
    max_length_plus_girth_cm: 330,
  },
  {
    ...domestic,
    code: "usps.priority",
    postage_type_id: 502,
    name: "Priority Mail",
    carrier_service_code: "PRIORITY_MAIL",
  },
  {
    ...domestic,
    code: "usps.priority_express",
    postage_type_id: 503,
    name: "Priority Mail Express",
    carrier_service_code: "PRIORITY_MAIL_EXPRESS",
  },
  {
    ...international,
    code: "usps.first_class_international",
    postage_type_id: 511,
    name: "First-Class Package International Service",
    carrier_service_code: "FIRST-CLASS_PACKAGE_INTERNATIONAL_SERVICE",
    max_weight_grams: 1_814,
    max_length_cm: 61,
    max_length_plus_girth_cm: 120,
    requires_dimensions: true,
    max_declared_value_cents: 40_000,
    add_ons: [],
  },
  {
    ...international,
    code: "usps.priority_international",
    postage_type_id: 512,
    name: "Priority Mail International",
    carrier_service_code: "PRIORITY_MAIL_INTERNATIONAL",
  },
  {
    ...international,
    code: "usps.priority_express_international",
    postage_type_id: 513,
    name: "Priority Mail Express International",
    carrier_service_code: "PRIORITY_MAIL_EXPRESS_INTERNATIONAL",
  },
];
