import type { Package } from "../../domain/parcel.ts";
import type { Tx } from "../../database/tables.ts";
import { isOpen } from "../../domain/pickup-states.ts";
import { toGrams } from "../../domain/units.ts";
import { followParts } from "./conclude.ts";
import * as store from "./store.ts";

/**
 * What becomes of a pickup when one of its shipments is voided or scanned. Whoever changes both a shipment
 * and its pickup asks here first: the pickup is locked before the shipment.
 */

interface ShipmentKey {
  account_id: string;
  id: string;
}

export interface Membership {
  pickup: store.WholePickup;
  part: store.PartRow;
}

/** The pickup that the shipment is in, locked, with the part of its carrier; null when it is in none. */
export async function lockPickupOf(tx: Tx, shipment: ShipmentKey): Promise<Membership | null> {
  const pickupId = await store.findPickupOf(tx, shipment);
  if (pickupId === null) return null;
  const pickup = await store.lockPickup(tx, shipment.account_id, pickupId);
  const part = pickup.parts.find(({ shipment_ids }) => shipment_ids.includes(shipment.id));
  return part ? { pickup, part } : null;
}

/**
 * The shipment was voided: nobody needs to fetch it. A carrier that is left with nothing to fetch is called
 * off soon after. What was picked up stays as it is.
 */
export async function leavePickup(
  tx: Tx,
  { part }: Membership,
  shipment: { id: string; packages: readonly Package[]; at: Date },
): Promise<void> {
  if (!isOpen(part.status)) return;
  const { id, packages, at } = shipment;
  await store.takeOut(tx, part, { id, ...sizeOf(packages), at });
}

/** How much of it there is to carry. */
export function sizeOf(packages: readonly Package[]) {
  return {
    package_count: packages.length,
    weight_grams: packages.reduce(
      (sum, { weight, weight_unit }) => sum + toGrams(weight, weight_unit),
      0,
    ),
  };
}

/**
 * The carrier has scanned the shipment for the first time: it was there and took along what its part of the
 * pickup had. Ask before the shipment itself is changed; a shipment without a confirmed pickup needs nothing.
 */
export async function markPickedUp(tx: Tx, shipment: ShipmentKey, at: Date): Promise<void> {
  const membership = await lockPickupOf(tx, shipment);
  if (membership?.part.status !== "confirmed") return;
  await store.movePart(tx, membership.part, { status: "picked_up", cancel_at: null });
  await followParts(tx, membership.pickup, at);
}
