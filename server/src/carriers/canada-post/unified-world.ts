import type { Address } from "../../domain/addresses/address.ts";
import type { Item } from "../../domain/goods/parcel.ts";
import type { ShipmentForCarrier } from "../carrier.ts";
import { aShipment, newYork, toronto, vancouver } from "../contract-samples-world.ts";

/** Shipments for requests that are validated by schemas. */

export const book: Item = {
  sku: "BOOK-1",
  title: "Books, hardcover",
  description: null,
  customs_description: null,
  quantity: 3,
  value: 12.5,
  currency: "CAD",
  weight: 0.6,
  weight_unit: "kg",
  country_of_origin: "CA",
  hs_code: "4901990000",
  manufacturer: null,
};

const berlin: Address = {
  ...newYork,
  address1: "Unter den Linden 77",
  city: "Berlin",
  province_code: null,
  postal_code: "10117",
  country_code: "DE",
};

const crowded: Address = {
  ...vancouver,
  name: 'Ada & Byron <Sons> "Ltd"',
  company: "C".repeat(40),
  address1: "1234567 Boulevard de la Grande Allée Est Nord",
  address2: "Suite 1200, c/o Ada",
  phone: null,
};

const home = aShipment(toronto, vancouver);

/** At home, across each border, and at the limits of what fits. */
export const bareShipments: ShipmentForCarrier[] = [
  home,
  { ...aShipment(toronto, newYork), items: [book] },
  { ...aShipment(toronto, berlin), items: [book], contents_type: "other" },
  aShipment(toronto, crowded),
  {
    ...home,
    reference: "R".repeat(50),
    packages: [
      {
        ...home.packages[0]!,
        weight: 1,
        weight_unit: "g",
        length: 0.01,
        width: 0.1,
        height: 199.99,
      },
    ],
  },
  {
    ...home,
    packages: [
      {
        ...home.packages[0]!,
        length: null,
        width: null,
        height: null,
        size_unit: null,
        declared_value: null,
      },
    ],
  },
];
