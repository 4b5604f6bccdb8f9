import type { Platform } from "../../context.ts";
import { toCancellation } from "../../domain/shipments/cancellation.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { toShipment } from "../../shipping/shipments/view.ts";

/** The response of cancelling (decision 9): the shipment, and the carrier's confirmation. */
export function toCancelled(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  row: ShipmentRow,
) {
  if (!row.cancellation) throw new Error(`shipment ${row.id} was not cancelled with a carrier`);
  return { shipment: toShipment(platform, row), cancellation: toCancellation(row.cancellation) };
}
