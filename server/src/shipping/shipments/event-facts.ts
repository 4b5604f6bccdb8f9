import type { ShipmentRow } from "./store.ts";

/**
 * What every event of a shipment says of it. Its `previous_status` is the one before the change was asked
 * for: no event shows a state in which an outcome is still open.
 */
export function shipmentFacts({ id, order_id, type, status }: ShipmentRow) {
  return { shipment_id: id, order_id, shipment_type: type, status };
}

/** The same of its label or booking. */
export function labelFacts({ carrier, service, tracking_code }: ShipmentRow) {
  return { carrier, service, tracking_code };
}
