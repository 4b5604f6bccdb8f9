import type { CallContext, LabelRef, ListedLabel, SentLabel } from "../../carriers/carrier.ts";
import type { ShipmentRow } from "./store.ts";

/** How a shipment's label is named to its carrier. Throws for a shipment that has none: that is a bug. */
export function labelRefOf(
  {
    id,
    purchase_reference: reference,
    carrier_label_id,
    tracking_code,
    carrier_data,
  }: LabelOfShipment,
  context: CallContext,
): LabelRef {
  if (!reference || !carrier_label_id || !tracking_code)
    throw new Error(`shipment ${id} lacks its label's id at the carrier`);
  return { context, reference, carrier_label_id, tracking_code, carrier_data };
}

type LabelOfShipment = Pick<
  ShipmentRow,
  "id" | "purchase_reference" | "carrier_label_id" | "tracking_code" | "carrier_data"
>;

/** Where a shipment goes and of what it is, by which carriers narrow their search for its label. */
export function searchOf(
  { to_address, packages, handling_units, type }: SearchedShipment,
  label: { ship_date: string; carrier_service_code: string },
): SentLabel["look_up"] {
  const { country_code: country, postal_code } = to_address;
  const units = handling_units.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    ...label,
    destination: { country, postal_code },
    pieces: type === "ltl" ? units : packages.length,
  };
}

type SearchedShipment = Pick<ShipmentRow, "to_address" | "packages" | "handling_units" | "type">;

/** The same for a label of a carrier's list, and the shipment that it was bought for. */
export function sentLabelOfList(
  row: SearchedShipment,
  { reference, bought_at: sent_at, carrier_service_code }: ListedLabel,
  context: CallContext,
): SentLabel {
  const ship_date = sent_at.toISOString().slice(0, 10);
  const look_up = searchOf(row, { ship_date, carrier_service_code });
  return { context, reference, sent_at, look_up };
}
