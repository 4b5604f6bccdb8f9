import type { Platform } from "../../context.ts";
import { toCancellation } from "../../domain/cancellation.ts";
import { toShipment, type ShipmentRow } from "../shipments/service.ts";

/** What cancelling answers (decision 9): the shipment, and what its carrier said. */
export function toCancelled(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  row: ShipmentRow,
) {
  if (!row.cancellation) throw new Error(`shipment ${row.id} was not cancelled with a carrier`);
  return { shipment: toShipment(platform, row), cancellation: toCancellation(row.cancellation) };
}
