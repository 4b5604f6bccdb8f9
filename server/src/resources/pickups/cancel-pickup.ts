import type { AccountContext, Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { answer, type StoredResponse } from "../../http/idempotency.ts";
import { recordExisting, performAll, type Performed } from "../../outbound/outbound.ts";
import { carrierRefusal, isAboutUs } from "../../shipping/shipments/carrier-refusal.ts";
import { isOver } from "./pickable.ts";
import { beginCancel, calledOff, pickupCancel } from "./pickup-cancel.ts";
import { Pickup } from "../../shipping/pickups/schemas.ts";
import * as store from "../../shipping/pickups/store.ts";
import { toPickup } from "../../shipping/pickups/view.ts";

/**
 * Cancels every carrier of a pickup that has not come yet (decision 10); their charges are refunded, and
 * their shipments are free. Cancelling twice returns the same pickup again. Throws 409 `not_cancellable`
 * where no carrier is to come any more or a carrier refuses, `purchase_pending` while a carrier's outcome is
 * unknown, 502 when it could not be reached.
 */
export async function cancelPickup(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const row = await store.getPickup(ctx.db, account_id, id);
  // Nothing changes, so there is no transaction to record the response in: it is stored as it is sent.
  if (row.status === "cancelled") return answer(200, Pickup, toPickup(row));
  const performed = await performAll(ctx.outbound, pickupCancel(ctx), {
    account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    subject_id: id,
    wanted: id,
    prepare: async (tx) => [await begin(ctx, tx, id)],
  });
  const pickup = await store.getPickup(ctx.db, account_id, id);
  throwUnlessCalledOff(pickup, performed);
  return answer(200, Pickup, toPickup(pickup));
}

/**
 * Records a carrier's cancellation that this database lost: as `cancelPickup`, without asking the carrier.
 */
export async function recordPickupCancel(
  ctx: AccountContext,
  { pickup_id, carrier }: { pickup_id: string; carrier: string },
): Promise<void> {
  const { account_id, environment } = ctx.account;
  const performed = await recordExisting(ctx.outbound, pickupCancel(ctx), {
    account_id,
    idempotency_key: null,
    by: originOf(ctx),
    async prepare(tx) {
      const pickup = await store.lockPickup(tx, account_id, pickup_id);
      const parts = pickup.parts.filter((part) => part.carrier === carrier);
      return (await beginCancel(tx, pickup, { parts, environment }))[0]!;
    },
    result: calledOff,
  });
  if (performed.result !== "settled") throw new Error(performed.failure.message);
}

async function begin(ctx: Context, tx: Tx, id: string) {
  const pickup = await store.lockPickup(tx, ctx.account.account_id, id);
  // A concurrent request cancelled it first.
  if (pickup.status === "cancelled") return [];
  if (pickup.status === "scheduled") throw pending(pickup);
  if (pickup.status !== "confirmed") throw notCancellable(pickup, { reason: pickup.status });
  if (isOver(pickup, ctx.clock.now())) throw notCancellable(pickup, { reason: "day_over" });
  const toCome = pickup.parts.filter(({ status }) => status === "confirmed");
  if (toCome.length === 0) throw pending(pickup);
  return beginCancel(tx, pickup, { parts: toCome, environment: ctx.account.environment });
}

function throwUnlessCalledOff(
  pickup: store.WholePickup,
  performed: readonly Performed<void>[],
): void {
  const refused = performed.filter((ended) => ended.result === "refused");
  const hasResponse = performed.every((ended) => ended.result !== "unknown");
  if (!hasResponse || pickup.parts.some(({ status }) => status === "cancelling"))
    throw pending(pickup);
  const first = refused[0];
  if (!first) return;
  const carriers = refused.map(({ failure, error }) => carrierRefusal(failure, error));
  if (refused.every(({ failure, error }) => failure.kind === "unreachable" || isAboutUs(error)))
    throw carriers[0]!;
  throw notCancellable(pickup, {
    reason: "carrier_refused",
    carriers: carriers.map(({ details }) => details),
  });
}

function notCancellable(pickup: store.WholePickup, details: object): ApiError {
  return new ApiError("not_cancellable", {
    message: "The pickup cannot be cancelled in its state.",
    details: { pickup_id: pickup.id, status: pickup.status, ...details },
  });
}

function pending({ id, status }: store.WholePickup): ApiError {
  return new ApiError("purchase_pending", {
    details: { pickup_id: id, status },
    retry_after: 2,
  });
}
