import type { Selectable } from "kysely";
import type { Platform } from "../../context.ts";
import type { Environment, ShipmentsTable, Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import { insertTrackers } from "./follow-store.ts";

interface Sold {
  row: Selectable<ShipmentsTable>;
  environment: Environment;
}

/**
 * Tracks every package of these shipments from now on, in the transaction that settles their purchase. A
 * service whose carrier does not scan has trackers too, which are never polled.
 */
export async function startTracking(
  { carriers, config, clock }: Platform,
  tx: Tx,
  sold: readonly Sold[],
): Promise<void> {
  const created_at = clock.now();
  const trackers = sold.flatMap(({ row, environment }) => {
    const { account_id, id: shipment_id, carrier, service, tracking_code, packages } = row;
    if (!carrier) return [];
    const codes = new Set([tracking_code, ...packages.map((each) => each.tracking_code)]);
    codes.delete(null);
    const first =
      environment === "live"
        ? config.tracking_first_poll_seconds_live
        : config.tracking_first_poll_seconds_test;
    const isTracked =
      service === null || carriers.findService(service)?.service.trackable !== false;
    return [...(codes as Set<string>)].map((code) => ({
      account_id,
      id: newId("trk", created_at),
      shipment_id,
      carrier,
      tracking_code: code,
      status: "pre_transit" as const,
      created_at,
      look_in_seconds: isTracked ? first : null,
    }));
  });
  if (trackers.length > 0) await insertTrackers(tx, trackers);
}
