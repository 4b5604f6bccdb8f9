import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, throwIfAny } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, type StoredResponse } from "../../http/idempotency.ts";
import { findBegun } from "../../outbound/attempt-store.ts";
import { performAll, type Performed } from "../../outbound/outbound.ts";
import { carrierRefusal } from "../../shipping/shipments/carrier-refusal.ts";
import { refuseInUse, refuseUnlessPickable, unknownIds } from "./pickable.ts";
import { pickupBooking, prepareBooking } from "./pickup-booking.ts";
import { planPickup, type PickupPlan } from "./plan-pickup.ts";
import { Pickup } from "../../shipping/pickups/schemas.ts";
import { lockShipments } from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";
import { toPickup } from "../../shipping/pickups/view.ts";

/**
 * Asks every carrier of the shipments to come (spec 4.4, decision 10). All of them are asked, or none. The
 * pickup exists when one of them comes; `carriers` states for the others why they do not. When none comes,
 * 502 `carrier_error`, and the shipments are free again. While an outcome is unknown the pickup is
 * `scheduled` under its final id; a retry with the same key shows that one.
 */
export async function schedulePickup(ctx: Context, body: unknown): Promise<StoredResponse> {
  const earlier = await findEarlier(ctx);
  if (earlier) return earlier;
  const plan = await planPickup(ctx, body);
  const performed = await performAll(ctx.outbound, pickupBooking(ctx), {
    account_id: ctx.account.account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    subject_id: plan.row.id,
    wanted: plan,
    prepare: async (tx) => [await begin(ctx, tx, plan)],
  });
  const pickup = await store.getPickup(ctx.db, ctx.account.account_id, plan.row.id);
  if (pickup.status === "failed") throw nobodyComes(pickup, performed);
  return shown(ctx, pickup);
}

/** The effect of the first request with this key before it died, if it got as far as the carriers. */
async function findEarlier(ctx: Context): Promise<StoredResponse | null> {
  const attempt = await findBegun(ctx.db, ctx.claim);
  if (!attempt) return null;
  return shown(ctx, await store.getPickup(ctx.db, ctx.account.account_id, attempt.subject_id));
}

/** A pickup with an unknown outcome is not final: the key stays open. */
function shown(ctx: Context, pickup: store.WholePickup): StoredResponse {
  if (pickup.status === "scheduled" && ctx.claim) ctx.claim.unresolved = true;
  return answer(201, Pickup, toPickup(pickup));
}

/**
 * The first transaction: reserves the shipments, writes the pickup, and returns the attempts with its
 * carriers' charges.
 */
async function begin(ctx: Context, tx: Tx, { row, bookings }: PickupPlan) {
  const { account_id, shipment_ids: ids } = row;
  const locked = await lockShipments(tx, account_id, ids);
  const given = ids.map((id, index) => ({ id, index }));
  throwIfAny(unknownIds(given, locked));
  refuseUnlessPickable(locked);
  await refuseInUse(tx, { account_id, ids, now: ctx.clock.now() });
  await store.insertPickup(tx, row);
  return bookings.map((booking) => ({ id: newId("att"), ...prepareBooking(booking) }));
}

/** 502 with the first carrier's message, and under `carriers` each carrier's. */
function nobodyComes(pickup: store.WholePickup, performed: readonly Performed<void>[]): ApiError {
  const refusals = performed.flatMap((ended) =>
    ended.result === "refused" ? [carrierRefusal(ended.failure, ended.error)] : [],
  );
  const carriers = refusals.map(({ details }) => details);
  return new ApiError("carrier_error", {
    message: "No carrier comes; nothing was charged.",
    details: { ...carriers[0], pickup_id: pickup.id, carriers },
    retry_after: refusals[0]?.retry_after ?? undefined,
  });
}
