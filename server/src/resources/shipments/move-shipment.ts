import type { Tx } from "../../database/tables.ts";
import { isVoided, touchesFulfilment } from "../../domain/shipment-states.ts";
import type { ShipmentStatus } from "../../domain/shipment-status.ts";
import { followShipments } from "../orders/service.ts";
import { followShipment, lockPickupOf } from "../pickups/service.ts";
import { cancelTracking } from "../tracking/service.ts";
import * as store from "./store.ts";

/**
 * Moves a shipment to another state, if the table of its type's states allows it from where it is now,
 * and its revision is still the one that is given. Null when not: the caller knows which refusal that is.
 * Its pickup goes without it when it is voided, and has been there when it is scanned; its order becomes
 * what its shipments then say; what was taken back travels nowhere. All in the same transaction.
 */
export async function moveShipment(
  tx: Tx,
  shipment: { account_id: string; id: string; revision?: number },
  change: store.ShipmentChange & { status: ShipmentStatus },
): Promise<store.ShipmentRow | null> {
  const touchesPickup = change.status === "voided" || change.status === "in_transit";
  const membership = touchesPickup ? await lockPickupOf(tx, shipment) : null;
  const row = await store.writeMove(tx, shipment, change);
  if (row && membership) await followShipment(tx, membership, row);
  if (row?.order_id && touchesFulfilment(row.type, row.status))
    await followShipments(tx, row.account_id, { order_ids: [row.order_id], at: row.updated_at });
  if (!row?.tracking_code || !isVoided(row.status)) return row;
  return store.changeShipment(tx, row, { tracking_status: await cancelTracking(tx, row) });
}
