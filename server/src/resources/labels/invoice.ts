import type { Platform } from "../../context.ts";
import { renderCommercialInvoice } from "../../documents/commercial-invoice.ts";
import { isInternational } from "../../domain/address.ts";
import { toGrams } from "../../domain/units.ts";
import type { ShipmentRow } from "../shipments/service.ts";

/** Whether customs will ask for an invoice: a parcel crosses a border, and it is said what is in it. */
export function needsInvoice({ type, from_address, to_address, items }: ShipmentRow): boolean {
  return type === "courier" && isInternational(from_address, to_address) && items.length > 0;
}

/** What the carrier, the rate and the label say of it. */
export interface SoldLabel {
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
  { carriers }: Pick<Platform, "carriers">,
  row: ShipmentRow,
  { carrier, service_name, tracking_code, sold_at }: SoldLabel,
): Promise<Buffer> {
  const { from_address, to_address, packages } = row;
  const { ship_code, reference, items, incoterm, contents_type } = row;
  return renderCommercialInvoice({
    number: ship_code,
    date: sold_at.toISOString().slice(0, 10),
    tracking_code,
    carrier_name: carriers.get(carrier).descriptor.name,
    service_name,
    reference,
    seller: from_address,
    buyer: to_address,
    importer: null,
    items,
    package_count: packages.length,
    gross_grams: packages.reduce(
      (sum, { weight, weight_unit }) => sum + toGrams(weight, weight_unit),
      0,
    ),
    incoterm,
    contents_type,
  });
}
