import type { FreightBooking } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import type { FreightDocuments } from "../../documents/freight-documents.ts";
import { onThread } from "./document-thread.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

/** A document of a booking as PDF: the bill of lading, or a label for each handling unit (decision 9). */
export function drawFreightDocument(
  platform: Pick<Platform, "carriers" | "config" | "threads">,
  row: ShipmentRow,
  { type, ...sold }: PurchasedFreight & { type: "bol" | "pallet_label" },
): Promise<Buffer> {
  return onThread(platform, row, type, freightDocumentsOf(platform, row, sold));
}

interface PurchasedFreight {
  carrier: string;
  service_name: string;
  booking: FreightBooking;
}

function freightDocumentsOf(
  { carriers, config }: Pick<Platform, "carriers" | "config">,
  row: ShipmentRow,
  { carrier, service_name, booking }: PurchasedFreight,
): FreightDocuments {
  const { pickup, delivery, reference } = row;
  if (!pickup || !delivery) throw new Error(`shipment ${row.id} has no stops to draw documents of`);
  const { name, scac } = carriers.get(carrier).descriptor;
  const [payer = "", ...lines] = config.freight_bill_to.split(";").map((line) => line.trim());
  return {
    ...booking,
    ship_code: row.ship_code,
    carrier: { name, scac },
    service_name,
    ship_from: row.from_address,
    ship_to: row.to_address,
    bill_to: { name: payer, lines },
    // The account has paid Waybill, which pays the carrier: neither shipper nor consignee does.
    freight_terms: "third_party",
    handling_units: row.handling_units,
    pickup,
    delivery,
    references: reference === null ? [] : [{ number: reference, info: null }],
    special_instructions: null,
    declared_value: null,
  };
}
