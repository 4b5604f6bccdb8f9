import type { Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { pickupStatusOf, type PickupStatus } from "../../domain/pickups/pickup-states.ts";
import { recordEvent } from "../../events/outbox.ts";
import { answer, recordOutcome } from "../../http/idempotency.ts";
import type { Attempt } from "../../outbound/operation.ts";
import { Pickup } from "./schemas.ts";
import * as store from "./store.ts";
import { toPickup } from "./view.ts";

/**
 * The consequences of a part's move: the pickup's own status, the events, and the response stored for the key
 * that asked. The pickup is locked, so that of several carriers that answer at once one is last.
 */
export async function syncPickupStatus(
  tx: Tx,
  before: store.WholePickup,
  { at, by }: { at: Date; by: Origin },
): Promise<store.WholePickup> {
  const { account_id, id } = before;
  const { parts } = await store.getPickup(tx, account_id, id);
  const status = pickupStatusOf(parts.map((part) => part.status));
  const isCancelled = status === "cancelled" && before.status !== "cancelled";
  const change = { status, updated_at: at, ...(isCancelled ? { cancelled_at: at } : {}) };
  await store.changePickup(tx, before, change);
  const type = eventOfMove(before.status, status);
  if (type) {
    const { date, shipment_ids } = before;
    const data = {
      pickup_id: id,
      status,
      previous_status: before.status,
      date,
      shipment_ids,
      carriers: outcomes(parts),
    };
    await recordEvent(tx, { account_id, type, subject_id: id, data, by });
  }
  return { ...before, ...change, parts };
}

function eventOfMove(from: PickupStatus, to: PickupStatus) {
  if (from === to) return null;
  if (to === "cancelled") return "pickup.cancelled";
  if (from !== "scheduled") return null;
  return to === "failed" ? "pickup.failed" : "pickup.scheduled";
}

function outcomes(parts: readonly store.PartRow[]) {
  return parts.map(({ carrier, status, confirmation_number }) => ({
    carrier,
    status,
    confirmation_number,
  }));
}

/** Stores the response of the key that asked from now on; nothing without a key. */
export async function answerKey(
  tx: Tx,
  attempt: Attempt<object>,
  { status, pickup }: { status: 200 | 201; pickup: store.WholePickup },
): Promise<void> {
  await recordOutcome(tx, attempt, answer(status, Pickup, toPickup(pickup)));
}
