import type { Carrier, ShipmentForCarrier } from "../../carriers/carrier.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import type { Address } from "../../domain/addresses/address.ts";

/** What is shipped in a carrier's sandbox: a parcel of a kilogram between public buildings of one country. */

const nobody = {
  name: "Waybill Check",
  company: "Waybill Check",
  address2: null,
  email: null,
  is_residential: false,
  tax_identifier: null,
};

const canada: [Address, Address] = [
  {
    ...nobody,
    address1: "111 Wellington Street",
    city: "Ottawa",
    province_code: "ON",
    postal_code: "K1A 0A9",
    country_code: "CA",
    phone: "613-555-0142",
  },
  {
    ...nobody,
    address1: "100 Queen Street West",
    city: "Toronto",
    province_code: "ON",
    postal_code: "M5H 2N2",
    country_code: "CA",
    phone: "416-555-0142",
  },
];

const unitedStates: [Address, Address] = [
  {
    ...nobody,
    address1: "20 W 34th St",
    city: "New York",
    province_code: "NY",
    postal_code: "10001",
    country_code: "US",
    phone: "212-555-0142",
  },
  {
    ...nobody,
    address1: "400 Broad St",
    city: "Seattle",
    province_code: "WA",
    postal_code: "98109",
    country_code: "US",
    phone: "206-555-0142",
  },
];

export function sampleShipment(
  { descriptor }: Carrier,
  { values }: CarrierConnection,
): ShipmentForCarrier {
  const startsInCanada = descriptor.services.some(({ origins }) => origins.includes("CA"));
  const isAmerican = values["account_country"] === "US" || !startsInCanada;
  const [from, to] = isAmerican ? unitedStates : canada;
  return {
    from_address: from,
    to_address: to,
    return_address: from,
    is_return: false,
    packages: [
      {
        id: "pkg_check",
        weight: 1,
        weight_unit: "kg",
        length: 20,
        width: 15,
        height: 10,
        size_unit: "cm",
        package_contents: "Paper",
        package_type: "parcel",
        reference: null,
        declared_value: null,
        currency: "CAD",
        tracking_code: null,
      },
    ],
    items: [],
    contents_type: "merchandise",
    incoterm: null,
    reference: "carrier-check",
    ship_date: new Date().toISOString().slice(0, 10),
  };
}
