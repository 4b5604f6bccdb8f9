import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { Address } from "../../domain/addresses/address.ts";
import type { Item, Package } from "../../domain/goods/parcel.ts";
import type { ShipmentForCarrier } from "../carrier.ts";
import { aShipment, newYork, toronto, vancouver } from "../contract-world.ts";
import type { Recording } from "../corpus/corpus-world.ts";

/** Shipments for requests that are held against schemas: our own cases, and another project's unified ones. */

const book: Item = {
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

interface Unified {
  shipper?: UnifiedAddress;
  recipient?: UnifiedAddress;
  parcels?: UnifiedParcel[];
  reference?: string;
}
type UnifiedAddress = Partial<Record<string, string>>;
type UnifiedParcel = Partial<Record<"weight" | "length" | "width" | "height", number>> & {
  weight_unit?: string;
  dimension_unit?: string;
};

/** One that names both ends and a weight; null for any other. */
export function shipmentFromUnified({ kind, bytes }: Recording): ShipmentForCarrier | null {
  if (kind !== "unified_in") return null;
  const unified = JSON.parse(bytes.toString()) as Unified;
  const parcel = unified.parcels?.find(({ weight }) => weight !== undefined);
  if (!unified.shipper || !unified.recipient || !parcel) return null;
  const shipment = aShipment(addressOf(unified.shipper), addressOf(unified.recipient));
  return {
    ...shipment,
    reference: unified.reference ?? null,
    items: [book],
    packages: [parcelOf(parcel, shipment.packages[0]!)],
  };
}

function addressOf(unified: UnifiedAddress): Address {
  return normaliseAddress({
    name: unified.person_name ?? "Ada Byron",
    company: unified.company_name ?? null,
    address1: unified.address_line1 ?? "1 Main St",
    address2: unified.address_line2 ?? null,
    city: unified.city ?? "Ottawa",
    province_code: unified.state_code ?? "ON",
    postal_code: unified.postal_code?.replace(/^(\w{3}) ?(\w{3})$/, "$1 $2") ?? null,
    country_code: unified.country_code ?? "CA",
    phone: unified.phone_number ?? "+14165550100",
    email: null,
    is_residential: false,
    tax_identifier: null,
  });
}

function parcelOf(unified: UnifiedParcel, like: Package): Package {
  const { weight = 1, length = null, width = null, height = null } = unified;
  const isSized = length !== null && width !== null && height !== null;
  return {
    ...like,
    weight,
    weight_unit: unified.weight_unit === "LB" ? "lbs" : "kg",
    length: isSized ? length : null,
    width: isSized ? width : null,
    height: isSized ? height : null,
    size_unit: isSized ? (unified.dimension_unit === "IN" ? "in" : "cm") : null,
  };
}
