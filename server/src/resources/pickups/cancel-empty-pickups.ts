import type { Platform } from "../../context.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { partyLanes } from "../../jobs/party-lanes.ts";
import { performAll } from "../../outbound/outbound.ts";
import { isOver } from "./pickable.ts";
import { beginCancel, pickupCancel } from "./pickup-cancel.ts";
import * as store from "../../shipping/pickups/store.ts";

/**
 * A round of the loop that cancels carriers without any shipment left, because all labels that they should
 * collect were voided. A carrier that cannot be reached, or that refuses, is called again until the day is
 * over, and delays no other.
 */
export function emptyPickupLanes(platform: Platform): (signal: AbortSignal) => Promise<boolean> {
  return partyLanes({
    take: (places) => store.takePartsToCancel(platform.db, places),
    partyOf: ({ carrier }) => carrier,
    ask: (part) =>
      cancelEmpty(platform, part).catch((error: unknown) => {
        platform.log.error({ ...part, err: error }, "pickup.not_cancelled");
        return true;
      }),
  });
}

/** Returns whether the carrier responded. */
async function cancelEmpty(platform: Platform, due: store.PartToCancel): Promise<boolean> {
  const { account_id, pickup_id, carrier, environment } = due;
  const performed = await performAll(platform.outbound, pickupCancel(platform), {
    account_id,
    idempotency_key: null,
    by: bySystem("pickups.call_off"),
    subject_id: pickup_id,
    wanted: due,
    async prepare(tx) {
      const pickup = await store.lockPickup(tx, account_id, pickup_id);
      const empty = pickup.parts.filter(
        (part) =>
          part.carrier === carrier &&
          part.status === "confirmed" &&
          part.shipment_ids.length === 0 &&
          !isOver(pickup, platform.clock.now()),
      );
      await store.cancelIn(tx, due, null);
      return [await beginCancel(tx, pickup, { parts: empty, environment })];
    },
  });
  return performed.every(({ result }) => result !== "unknown");
}
