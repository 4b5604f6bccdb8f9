import type { Tx } from "../../database/tables.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";
import { statusOfAll } from "../../domain/shipments/tracking.ts";
import { listStatuses, restateUnscanned } from "./follow-store.ts";

/** The effect on the packages of a shipment whose label or booking is voided, or valid again. */

interface Key {
  account_id: string;
  id: string;
}

/** They are not polled any more. Returns the shipment's `tracking_status`. */
export function cancelTracking(tx: Tx, shipment: Key): Promise<TrackingStatus> {
  return restate(tx, shipment, { from: "pre_transit", to: "cancelled" });
}

/** The label is valid after all. Returns the shipment's `tracking_status`. */
export function reactivateTracking(tx: Tx, shipment: Key): Promise<TrackingStatus> {
  return restate(tx, shipment, { from: "cancelled", to: "pre_transit" });
}

async function restate(
  tx: Tx,
  shipment: Key,
  change: { from: TrackingStatus; to: TrackingStatus },
): Promise<TrackingStatus> {
  await restateUnscanned(tx, shipment, change);
  const packages = await listStatuses(tx, shipment);
  return statusOfAll(packages.map(({ status }) => status));
}
