import { ApiError } from "../../domain/errors/errors.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { alreadyLabelled, purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";

/** Throws 409 for a shipment that is held, or that is no longer a mere draft. */
export function refuseUnlessBuyable(row: ShipmentRow): void {
  if (row.status === "draft" && row.on_hold)
    throw new ApiError("on_hold", { details: { shipment_id: row.id, status: row.status } });
  if (row.status === "draft") return;
  if (isLabelled(row.status)) throw alreadyLabelled(row);
  if (row.status === "purchasing" || row.status === "purchase_pending") throw purchasePending(row);
  throw new ApiError("conflict", {
    message: `The shipment is ${row.status}; create a new one to ship again.`,
    details: { status: row.status },
  });
}
