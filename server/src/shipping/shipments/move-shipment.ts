import type { Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { isVoided, touchesFulfilment } from "../../domain/shipments/shipment-states.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";
import { combineAgain } from "../batches/store.ts";
import { syncOrderStatus } from "../orders/sync-order-status.ts";
import { syncPickupMembership, lockPickupOf } from "../pickups/membership.ts";
import { cancelTracking } from "../tracking/cancel-tracking.ts";
import * as purchases from "./purchase-store.ts";
import * as store from "./store.ts";

/**
 * Moves a shipment to another state, if the table of its type's states allows it from its current one, and
 * its revision is still the given one. Null when not: the caller knows which refusal that is. A voided
 * shipment leaves its pickup, a scanned one shows that its pickup took place; the status of its order is
 * derived anew; its batch's labels are combined anew; the tracking of a voided one is cancelled. All in the
 * same transaction.
 */
export async function moveShipment(
  tx: Tx,
  shipment: { account_id: string; id: string; revision?: number },
  { by, ...change }: store.ShipmentChange & { status: ShipmentStatus; by: Origin },
): Promise<store.ShipmentRow | null> {
  const touchesPickup = change.status === "voided" || change.status === "in_transit";
  const membership = touchesPickup ? await lockPickupOf(tx, shipment) : null;
  const row = await store.writeMove(tx, shipment, change);
  if (row && membership) await syncPickupMembership(tx, membership, { ...row, by });
  if (row) await syncOrders(tx, [{ row, by }]);
  if (row?.batch_id && touchesLabel(change.status)) await combineAgain(tx, row);
  if (!row?.tracking_code || !isVoided(row.status)) return row;
  return store.changeShipment(tx, row, { tracking_status: await cancelTracking(tx, row) });
}

/** Whether a move to that state removes a label from its batch's combined file, or adds it again. */
function touchesLabel(to: ShipmentStatus): boolean {
  return to === "void_pending" || to === "purchased" || to === "booked";
}

/**
 * Writes the labels or bookings that carriers issued for shipments of an account, each once. Returns the
 * shipments in the order of `sales`. Throws when one of them was not being purchased, which is a bug.
 */
export async function markPurchased(
  tx: Tx,
  sold: readonly { sale: purchases.Sale; by: Origin }[],
): Promise<store.ShipmentRow[]> {
  const sales = sold.map(({ sale }) => sale);
  const bought = new Map((await purchases.markPurchased(tx, sales)).map((row) => [row.id, row]));
  const changes = sold.map(({ sale: { id }, by }) => {
    const row = bought.get(id);
    if (!row) throw new Error(`shipment ${id} is not being purchased`);
    return { row, by };
  });
  await syncOrders(tx, changes);
  return changes.map(({ row }) => row);
}

/** The orders of shipments of one account become what their shipments then say. */
async function syncOrders(
  tx: Tx,
  changes: readonly { row: store.ShipmentRow; by: Origin }[],
): Promise<void> {
  const moved = changes.filter(({ row }) => touchesFulfilment(row.type, row.status));
  const changed_by = new Map(
    moved.flatMap(({ row, by }) => (row.order_id === null ? [] : [[row.order_id, by] as const])),
  );
  const [first] = moved;
  if (first && changed_by.size > 0)
    await syncOrderStatus(tx, first.row.account_id, { changed_by, at: first.row.updated_at });
}
