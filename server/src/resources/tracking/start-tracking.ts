import type { Platform } from "../../context.ts";
import type { Environment, Tx } from "../../database/tables.ts";
import { newId } from "../../domain/ids.ts";
import type { ShipmentRow } from "../shipments/service.ts";
import { insertTrackers } from "./follow-store.ts";

/**
 * Follows every package of a shipment from now on, in the transaction that sells it. A service whose carrier
 * does not scan it has trackers too, which nobody asks for.
 */
export async function startTracking(
  { carriers, config, clock }: Platform,
  tx: Tx,
  { row, environment }: { row: ShipmentRow; environment: Environment },
): Promise<void> {
  const { account_id, id: shipment_id, carrier, service } = row;
  const codes = new Set([row.tracking_code, ...row.packages.map((each) => each.tracking_code)]);
  codes.delete(null);
  if (!carrier || codes.size === 0) return;
  const created_at = clock.now();
  const trackers = [...(codes as Set<string>)].map((tracking_code) => ({
    account_id,
    id: newId("trk", created_at),
    shipment_id,
    carrier,
    tracking_code,
    status: "pre_transit" as const,
    created_at,
  }));
  const isTracked = service === null || carriers.findService(service)?.service.trackable !== false;
  const first =
    environment === "live"
      ? config.tracking_first_look_seconds_live
      : config.tracking_first_look_seconds_test;
  await insertTrackers(tx, trackers, isTracked ? first : null);
}
