import type { Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { pickupStatusOf } from "../../domain/pickups/pickup-states.ts";
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
  const event = (type: string) =>
    recordEvent(tx, {
      account_id,
      type,
      subject_id: id,
      by,
      data: { carriers: outcomes(parts) },
    });
  const isAnswered = before.status === "scheduled" && status !== "scheduled";
  if (isAnswered && status !== "failed") await event("pickup.scheduled");
  if (isCancelled) await event("pickup.cancelled");
  return { ...before, ...change, parts };
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
