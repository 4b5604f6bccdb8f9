import type { Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { isOpen } from "../../domain/pickups/pickup-states.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";
import { totalGrams } from "../../domain/goods/units.ts";
import { syncPickupStatus } from "./sync-pickup-status.ts";
import { findPickupOf, takeOut } from "./shipment-store.ts";
import * as store from "./store.ts";

/** The effect on a pickup when one of its shipments is voided or scanned. */

export interface Membership {
  pickup: store.WholePickup;
  part: store.PartRow;
}

/**
 * The pickup that the shipment is in, with the part of its carrier; null when it is in none. Locks the
 * pickup: a transaction that changes a shipment and its pickup does so before it touches the shipment.
 */
export async function lockPickupOf(
  tx: Tx,
  shipment: { account_id: string; id: string },
): Promise<Membership | null> {
  const pickupId = await findPickupOf(tx, shipment);
  if (pickupId === null) return null;
  const pickup = await store.lockPickup(tx, shipment.account_id, pickupId);
  const part = pickup.parts.find(({ shipment_ids }) => shipment_ids.includes(shipment.id));
  return part ? { pickup, part } : null;
}

/**
 * A voided shipment is removed from its pickup, and a carrier without any shipment left is cancelled soon
 * after. A scanned shipment shows that its carrier arrived, and collected what its part had.
 */
export async function syncPickupMembership(
  tx: Tx,
  { pickup, part }: Membership,
  shipment: {
    id: string;
    status: ShipmentStatus;
    packages: readonly Package[];
    updated_at: Date;
    by: Origin;
  },
): Promise<void> {
  const { id, status, packages, updated_at: at, by } = shipment;
  if (status === "voided" && isOpen(part.status))
    await takeOut(tx, part, { id, ...sizeOf(packages), at });
  if (status !== "in_transit" || part.status !== "confirmed") return;
  await store.movePart(tx, part, { status: "picked_up", cancel_at: null });
  await syncPickupStatus(tx, pickup, { at, by });
}

/** The number and weight of its packages. */
export function sizeOf(packages: readonly Package[]) {
  return {
    package_count: packages.length,
    weight_grams: totalGrams(packages),
  };
}
