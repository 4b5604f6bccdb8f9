import type { Platform } from "../../context.ts";
import { performAll } from "../../outbound/outbound.ts";
import { isOver } from "./pickable.ts";
import { beginCancel, pickupCancel } from "./pickup-cancel.ts";
import * as store from "./store.ts";

/**
 * Calls off the carriers that would come for nothing, because all that they should fetch was voided. Runs
 * every second in each worker; returns how many it took up. A carrier that cannot be reached, or that
 * refuses, is asked again until the day is over.
 */
export async function callOffEmptied(platform: Platform): Promise<number> {
  const due = await store.takePartsToCancel(platform.db, 20);
  await Promise.all(
    due.map((part) =>
      callOff(platform, part).catch((error: unknown) =>
        platform.log.error({ ...part, err: error }, "pickup.not_called_off"),
      ),
    ),
  );
  return due.length;
}

async function callOff(platform: Platform, due: store.PartToCancel): Promise<void> {
  const { account_id, pickup_id, carrier, environment } = due;
  await performAll(platform.outbound, pickupCancel(platform), {
    account_id,
    idempotency_key: null,
    async prepare(tx) {
      const pickup = await store.lockPickup(tx, account_id, pickup_id);
      const empty = pickup.parts.filter(
        (part) =>
          part.carrier === carrier &&
          part.status === "confirmed" &&
          part.shipment_ids.length === 0 &&
          !isOver(pickup, platform.clock.now()),
      );
      await store.callOffIn(tx, due, null);
      return beginCancel(tx, empty, environment);
    },
  });
}
