/**
 * A shipment for the document's examples and the startup message: complete, valid, quoted by several carriers. Without
 * an apostrophe, because a shell reads it between two.
 */
export const parcelToMontreal = {
  to_address: {
    name: "Amélie Tremblay",
    address1: "275 Rue Notre-Dame Est",
    city: "Montréal",
    province_code: "QC",
    postal_code: "H2Y 1C6",
    country_code: "CA",
  },
  packages: [
    {
      weight: 2,
      weight_unit: "lbs",
      length: 10,
      width: 8,
      height: 4,
      size_unit: "in",
      package_contents: "Books",
    },
  ],
};

/** Freight for the document's examples: two pallets, fetched at a dock and unloaded by a liftgate. */
export const palletToWinnipeg = {
  type: "ltl",
  from_address: {
    company: "Atelier du Vieux-Port",
    address1: "275 Rue Notre-Dame Est",
    city: "Montréal",
    province_code: "QC",
    postal_code: "H2Y 1C6",
    country_code: "CA",
    phone: "514-555-0136",
  },
  to_address: {
    company: "Red River Books",
    address1: "510 Main Street",
    city: "Winnipeg",
    province_code: "MB",
    postal_code: "R3B 1B9",
    country_code: "CA",
    phone: "204-555-0118",
  },
  handling_units: [
    {
      type: "pallet",
      quantity: 2,
      length: 48,
      width: 40,
      height: 50,
      size_unit: "in",
      weight: 620,
      weight_unit: "lbs",
      description: "Printed books",
      nmfc_code: "161560",
      pieces: 32,
    },
  ],
  delivery: { location_type: "business_without_dock", instructions: "Ring at the side door." },
};
