import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { Address } from "../../domain/addresses/address.ts";
import type { Item, Package } from "../../domain/goods/parcel.ts";
import type { ShipmentForCarrier } from "../carrier.ts";
import { aShipment } from "../contract-samples-world.ts";
import type { Recording } from "./corpus-world.ts";

/** Another project's unified requests as shipments of ours. */

interface Unified {
  shipper?: UnifiedAddress;
  recipient?: UnifiedAddress;
  parcels?: UnifiedParcel[];
  reference?: string;
  is_return?: boolean;
}
type UnifiedAddress = Partial<Record<string, string>>;
type UnifiedParcel = Partial<Record<"weight" | "length" | "width" | "height", number>> & {
  weight_unit?: string;
  dimension_unit?: string;
};

/** One that names both ends and a weight; null for any other. */
export function shipmentFromUnified(
  { kind, bytes }: Recording,
  items: readonly Item[],
): ShipmentForCarrier | null {
  if (kind !== "unified_in") return null;
  const unified = JSON.parse(bytes.toString()) as Unified;
  const parcel = unified.parcels?.find(({ weight }) => weight !== undefined);
  if (!unified.shipper || !unified.recipient || !parcel) return null;
  const shipment = aShipment(addressOf(unified.shipper), addressOf(unified.recipient));
  return {
    ...shipment,
    reference: unified.reference ?? null,
    items,
    is_return: unified.is_return ?? false,
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
    province_code: /^[A-Z]{2}$/.test(unified.state_code ?? "") ? unified.state_code! : "ON",
    postal_code: postalCodeOf(unified.postal_code),
    country_code: /^[A-Z]{2}$/.test(unified.country_code ?? "") ? unified.country_code! : "CA",
    phone: unified.phone_number ?? "+14165550100",
    email: null,
    is_residential: false,
    tax_identifier: null,
  });
}

/** Placeholders are none. */
function postalCodeOf(code: string | undefined): string | null {
  if (code === undefined || !/\d/.test(code)) return "M5V 3L9";
  return code.replace(/^([A-Z]\d[A-Z]) ?(\d[A-Z]\d)$/, "$1 $2");
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
