import type { Address } from "../../src/domain/addresses/address.ts";
import type { HandlingUnit } from "../../src/domain/goods/freight.ts";
import type { FreightDocuments } from "../../src/documents/freight-documents.ts";

/** The documents of an ordinary booking, for tests to change. */

export const shipFrom: Address = {
  name: "Dana Petrov",
  company: "Northern Tile & Stone Ltd",
  address1: "4120 Dixie Road",
  address2: "Dock 7",
  city: "Mississauga",
  province_code: "ON",
  postal_code: "L4W 1M6",
  country_code: "CA",
  phone: "+1 905 555 0142",
  email: "shipping@northerntile.example",
  is_residential: false,
  tax_identifier: null,
};

export const shipTo: Address = {
  ...shipFrom,
  name: "Receiving",
  company: "Lakeshore Building Supply",
  address1: "2200 S Ashland Ave",
  address2: null,
  city: "Chicago",
  province_code: "IL",
  postal_code: "60608",
  country_code: "US",
  phone: "+1 312 555 0177",
  email: null,
};

export const pallet: HandlingUnit = {
  type: "pallet",
  quantity: 4,
  length: 48,
  width: 40,
  height: 42,
  size_unit: "in",
  weight: 1250,
  weight_unit: "lbs",
  stackable: true,
  freight_class: "70",
  freight_class_source: "given",
  nmfc_code: "47500-02",
  description: "Ceramic floor tile, in cartons",
  pieces: 60,
  hazmat: false,
};

export const crate: HandlingUnit = {
  ...pallet,
  type: "crate",
  quantity: 2,
  weight: 180.4,
  weight_unit: "kg",
  size_unit: "cm",
  length: 120,
  width: 80,
  height: 90,
  stackable: false,
  freight_class: "92.5",
  freight_class_source: "density",
  nmfc_code: null,
  description: "Grout and adhesive, bagged",
  pieces: null,
};

const stop = {
  contact: { name: "Sam Ortiz", phone: "+1 312 555 0199", email: null },
  instructions: null,
  appointment_required: false,
  accessorials: [],
  implied_accessorials: [],
};

export const freightDocuments: FreightDocuments = {
  bol_number: "WB40021774",
  pro_number: "573-4459021-8",
  confirmation_number: "CNF-8841207",
  ship_code: "SH4K7Q2M",
  carrier: { name: "Great Lakes Freight", scac: "GLKF" },
  service_name: "Great Lakes Standard LTL",
  ship_from: shipFrom,
  ship_to: shipTo,
  bill_to: {
    name: "Waybill Freight Payables",
    lines: ["100 King St W, Suite 5600", "Toronto, ON M5X 1C9, CA"],
  },
  freight_terms: "third_party",
  handling_units: [pallet, crate],
  pickup: {
    ...stop,
    contact: { name: "Dana Petrov", phone: "+1 905 555 0142", email: null },
    date: "2026-11-24",
    ready_time: "09:00",
    close_time: "16:30",
    location_type: "business_with_dock",
    instructions: "Check in at gate B. Use door 7.",
  },
  delivery: {
    ...stop,
    ready_time: "08:00",
    close_time: "15:00",
    location_type: "construction_site",
    instructions: "Call thirty minutes before arrival.",
    appointment_required: true,
    accessorials: ["liftgate_delivery", "limited_access_delivery", "protect_from_freeze"],
  },
  references: [{ number: "PO-10023", info: "Order 5512, spring showroom" }],
  special_instructions: null,
  declared_value: { amount: 18500, currency: "CAD" },
};
