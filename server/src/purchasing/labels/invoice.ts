import type { Platform } from "../../context.ts";
import { isInternational } from "../../domain/addresses/address.ts";
import { totalGrams } from "../../domain/goods/units.ts";
import { onThread } from "./document-thread.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

/** Whether customs will ask for an invoice: the shipment crosses a border, and its contents are declared. */
export function needsInvoice({ from_address, to_address, items }: ShipmentRow): boolean {
  return isInternational(from_address, to_address) && items.length > 0;
}

/** What the carrier, the rate and the label state about it. */
export interface PurchasedLabel {
  carrier: string;
  service_name: string;
  tracking_code: string;
  sold_at: Date;
}

/**
 * The commercial invoice of a shipment whose label was bought, as PDF. The shipment's `ship_code` is its
 * number, the day of the purchase its date, and the recipient declares the goods.
 */
export function drawInvoice(
  platform: Pick<Platform, "carriers" | "threads">,
  row: ShipmentRow,
  { carrier, service_name, tracking_code, sold_at }: PurchasedLabel,
): Promise<Buffer> {
  const { from_address, to_address } = row;
  const { ship_code, reference, items, incoterm, contents_type } = row;
  return onThread(platform, row, "commercial_invoice", {
    number: ship_code,
    date: sold_at.toISOString().slice(0, 10),
    tracking_code,
    carrier_name: platform.carriers.get(carrier).descriptor.name,
    service_name,
    reference,
    seller: from_address,
    buyer: to_address,
    importer: null,
    items,
    ...piecesOf(row),
    incoterm,
    contents_type,
  });
}

/** What a customs officer counts and weighs: parcels, or the pallets and crates of freight. */
function piecesOf({ packages, handling_units }: ShipmentRow) {
  const pieces = [...packages.map((parcel) => ({ ...parcel, quantity: 1 })), ...handling_units];
  return {
    package_count: pieces.reduce((total, { quantity }) => total + quantity, 0),
    gross_grams: totalGrams(pieces),
  };
}
