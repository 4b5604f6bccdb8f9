/** A shipment for the document's examples: complete, valid, quoted by several carriers. */
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
