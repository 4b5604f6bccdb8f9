import { descriptorUnder, type CarrierVoid } from "../../carriers/carrier.ts";
import type { AccountContext, Context } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { answer, type StoredResponse } from "../../http/idempotency.ts";
import type { Failure } from "../../outbound/operation.ts";
import { recordExisting, perform } from "../../outbound/outbound.ts";
import { carrierRefusal, isAboutUs } from "../../shipping/shipments/carrier-refusal.ts";
import { decidedAnew } from "../../shipping/shipments/decided-anew.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { prepareVoid } from "../../shipping/shipments/void-operation.ts";
import { bookingCancel } from "./booking-cancel.ts";
import { CancelledBooking } from "./schemas.ts";
import { toCancelled } from "./view.ts";

/**
 * Cancels an LTL booking with its carrier (spec 4.3, decision 9) and refunds the total less the carrier's fee
 * at once. Cancelling twice returns the same response again. Throws 409 `not_ltl`, `not_cancellable`, and
 * `purchase_pending` while the outcome of the booking or of its cancellation is unknown.
 */
export function cancelBooking(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<StoredResponse> {
  return decidedAnew(() => cancelAsItIs(ctx, id, reason));
}

async function cancelAsItIs(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<StoredResponse> {
  const row = await getShipment(ctx.db, ctx.account.account_id, id);
  // Nothing changes, so there is no transaction to record the response in: it is stored as it is sent.
  if (row.cancellation) return answer(200, CancelledBooking, toCancelled(ctx, row));
  refuseUnlessCancellable(ctx, row);
  const performed = await perform(ctx.outbound, bookingCancel(ctx), {
    account_id: row.account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    prepare: (tx) => prepareVoid(ctx, tx, { row, reason }),
  });
  if (performed.result === "settled") return performed.outcome;
  if (performed.result === "unknown") throw purchasePending({ id, status: "void_pending" });
  throw refusedCancel(performed.failure, performed.error);
}

/**
 * Records a cancellation that the carrier has and this database lost: the same end as `cancelBooking`,
 * without asking the carrier.
 */
export async function bookCancel(
  ctx: AccountContext,
  row: ShipmentRow,
  outcome: CarrierVoid,
): Promise<void> {
  const reason = "The booking was cancelled at the carrier when this database was restored.";
  const performed = await recordExisting(ctx.outbound, bookingCancel(ctx), {
    account_id: row.account_id,
    idempotency_key: null,
    by: originOf(ctx),
    prepare: (tx) => prepareVoid(ctx, tx, { row, reason }),
    result: outcome,
  });
  if (performed.result !== "settled") throw new Error(performed.failure.message);
}

function refuseUnlessCancellable(ctx: Context, row: ShipmentRow): void {
  const { id, type, status } = row;
  if (type !== "ltl") throw new ApiError("not_ltl", { details: { shipment_id: id, type, status } });
  if (["purchasing", "purchase_pending", "void_pending"].includes(status))
    throw purchasePending(row);
  if (status === "booked") {
    const { descriptor } = ctx.carriers.get(row.carrier ?? "");
    const { voids } = descriptorUnder(descriptor, row.connection_id);
    if (voids.kind === "api") return;
    throw new ApiError("not_cancellable", {
      message: "The carrier cancels no bookings.",
      details: { status, reason: "carrier_has_no_void" },
    });
  }
  const isUnbooked = status === "draft" || status === "cancelled";
  throw new ApiError("not_cancellable", {
    message: isUnbooked ? "The shipment is not booked." : "The carrier has picked the freight up.",
    details: { status, reason: isUnbooked ? "not_booked" : "picked_up" },
  });
}

function refusedCancel(failure: Failure, error: unknown): ApiError {
  if (failure.kind === "unreachable" || isAboutUs(error)) return carrierRefusal(failure, error);
  return new ApiError("not_cancellable", {
    message: "The carrier refused to cancel the booking.",
    details: {
      status: "booked",
      reason: "carrier_refused",
      carrier: failure.party,
      carrier_code: failure.party_code,
      carrier_message: failure.message,
    },
  });
}
