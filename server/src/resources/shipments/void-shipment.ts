import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { descriptorUnder, type CarrierVoid } from "../../carriers/carrier.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { Maybe, OneOf } from "../../domain/values/schema.ts";
import { recordEvent } from "../../events/outbox.ts";
import {
  answer,
  recordResponse,
  recordOutcome,
  type StoredResponse,
} from "../../http/idempotency.ts";
import {
  type Effect,
  type Failure,
  oneByOne,
  type OutboundOperation,
  type ReviewOf,
} from "../../outbound/operation.ts";
import { recordExisting, perform } from "../../outbound/outbound.ts";
import { lockPickupOf } from "../../shipping/pickups/membership.ts";
import { carrierRefusal, isAboutUs } from "../../shipping/shipments/carrier-refusal.ts";
import { approveRefund } from "../../shipping/shipments/refunds.ts";
import { decidedAnew, ShipmentChanged } from "../../shipping/shipments/decided-anew.ts";
import { labelFacts, shipmentFacts } from "../../shipping/shipments/event-facts.ts";
import { moveShipment } from "../../shipping/shipments/move-shipment.ts";
import { Shipment } from "../../shipping/shipments/schemas.ts";
import * as store from "../../shipping/shipments/store.ts";
import {
  prepareVoid,
  voidOperation,
  type VoidInput,
} from "../../shipping/shipments/void-operation.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { toShipment } from "../../shipping/shipments/view.ts";

/**
 * Voids a shipment (spec 3, decision 8). Without a label it is cancelled; with one the carrier is asked, and
 * the full total is refunded once the carrier confirms or the hold days have passed. It leaves its open
 * pickup. Voiding twice returns the same shipment again, also when both are requested at once and the first is done.
 */
export function voidShipment(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<StoredResponse> {
  return decidedAnew(() => voidAsItIs(ctx, id, reason));
}

async function voidAsItIs(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<StoredResponse> {
  const row = await store.getShipment(ctx.db, ctx.account.account_id, id);
  // Nothing changes, so there is no transaction to record the response in: it is stored as it is sent.
  if (row.status === "voided" || row.status === "cancelled")
    return answer(200, Shipment, toShipment(ctx, row));
  if (row.status === "draft") return cancelDraft(ctx, row, reason);
  refuseUnlessVoidable(ctx, row);
  const performed = await perform(ctx.outbound, labelVoid(ctx), {
    account_id: row.account_id,
    idempotency_key: ctx.claim?.key ?? null,
    by: originOf(ctx),
    prepare: (tx) => prepareLabelVoid(ctx, tx, { row, reason }),
  });
  if (performed.result === "settled") return performed.outcome;
  if (performed.result === "unknown") throw purchasePending({ id, status: "void_pending" });
  throw refusedVoid(performed.failure, performed.error);
}

/**
 * Records a void that the carrier has and this database lost: as `voidShipment`, without asking the carrier.
 */
export async function bookVoid(
  ctx: Context,
  row: store.ShipmentRow,
  outcome: CarrierVoid,
): Promise<void> {
  const reason = "The label was void at the carrier when this database was restored.";
  const performed = await recordExisting(ctx.outbound, labelVoid(ctx), {
    account_id: row.account_id,
    idempotency_key: null,
    by: originOf(ctx),
    prepare: (tx) => prepareLabelVoid(ctx, tx, { row, reason }),
    result: outcome,
  });
  if (performed.result !== "settled") throw new Error(performed.failure.message);
}

async function cancelDraft(
  ctx: Context,
  row: store.ShipmentRow,
  reason: string | null,
): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const [now, by] = [ctx.clock.now(), originOf(ctx)];
    const cancelled = await moveShipment(tx, row, {
      status: "cancelled",
      voided_at: now,
      refund_reason: reason,
      updated_at: now,
      by,
    });
    if (!cancelled) throw new ShipmentChanged(row.id);
    await recordEvent(tx, {
      account_id: row.account_id,
      type: "shipment.voided",
      subject_id: row.id,
      data: {
        ...shipmentFacts(cancelled),
        previous_status: "draft",
        ...labelFacts(cancelled),
        refund_status: null,
      },
      by,
    });
    return recordResponse(tx, ctx, {
      answer: answer(200, Shipment, toShipment(ctx, cancelled)),
      subject_id: row.id,
    });
  });
}

function refuseUnlessVoidable(ctx: Context, row: store.ShipmentRow): void {
  if (["purchasing", "purchase_pending"].includes(row.status)) throw purchasePending(row);
  if (row.type === "ltl")
    throw notVoidable(
      row,
      "ltl_use_cancel",
      "An LTL booking is cancelled with POST /ltl/{shipment_id}/cancel.",
    );
  if (row.status === "void_pending") throw purchasePending(row);
  const { descriptor } = ctx.carriers.get(row.carrier ?? "");
  const { voids } = descriptorUnder(descriptor, row.connection_id);
  if (voids.kind === "none")
    throw notVoidable(row, "carrier_has_no_void", "The carrier voids no labels.");
  if (row.status !== "purchased")
    throw notVoidable(row, "already_moving", "The carrier has scanned the parcel.");
  const oldestMillis = ctx.clock.now().getTime() - ctx.config.void_days_max * 86_400_000;
  if (row.purchased_at && row.purchased_at.getTime() < oldestMillis) {
    throw notVoidable(
      row,
      "too_old",
      `A label can be voided for ${ctx.config.void_days_max} days after its purchase.`,
    );
  }
}

function notVoidable(row: store.ShipmentRow, reason: string, message: string): ApiError {
  return new ApiError("not_voidable", { message, details: { status: row.status, reason } });
}

function refusedVoid(failure: Failure, error: unknown): ApiError {
  if (failure.kind === "unreachable" || isAboutUs(error)) return carrierRefusal(failure, error);
  return new ApiError("not_voidable", {
    message: "The carrier refused to void the label.",
    details: {
      status: "purchased",
      reason: "carrier_refused",
      carrier: failure.party,
      carrier_code: failure.party_code,
      carrier_message: failure.message,
    },
  });
}

/** A label that the carrier has collected is not voided; the lock keeps it from being added to a pickup. */
async function prepareLabelVoid(
  ctx: Context,
  tx: Tx,
  given: { row: store.ShipmentRow; reason: string | null },
) {
  const membership = await lockPickupOf(tx, given.row);
  if (membership?.part.status === "picked_up")
    throw notVoidable(given.row, "picked_up", "The carrier has picked the parcel up.");
  return prepareVoid(ctx, tx, given);
}

/** A carrier that has not answered for a day whether it voided the label: its own site can tell. */
const voidReview: ReviewOf<VoidInput, CarrierVoid> = {
  evidence: { refund: Maybe(OneOf(["pending", "approved"])) },
  advice: ({ input }) =>
    `Find out at ${input.carrier} whether label ${input.carrier_label_id} (tracking code ${input.tracking_code}) is void. ` +
    "If it is, or once you have voided it there, decide `stands`, with `refund` `approved` where the carrier has credited it: the merchant is refunded. " +
    "If it cannot be voided, decide `void`: the label lives again and stays paid.",
  resultOf: async (_attempt, evidence) => ({
    refund: (evidence as { refund?: CarrierVoid["refund"] | null }).refund ?? "pending",
  }),
};

/** The outbound operation of voiding a label. */
export function labelVoid(
  platform: Platform,
): OutboundOperation<VoidInput, null, CarrierVoid, StoredResponse> {
  return {
    kind: "label_void",
    ...voidOperation(platform, { back_to: "purchased", refusal: "not_voidable" }),
    review: voidReview,
    settle: oneByOne((tx, effect) => finalize(platform, tx, effect)),
  };
}

/** The carrier voided the label: the refund is due, at once where the carrier has confirmed it. */
async function finalize(
  platform: Platform,
  tx: Tx,
  { attempt, result: outcome }: Effect<VoidInput, CarrierVoid>,
): Promise<StoredResponse> {
  const now = platform.clock.now();
  const { account_id, input } = attempt;
  const row = await moveShipment(
    tx,
    { account_id, id: input.shipment_id },
    {
      status: "voided",
      voided_at: now,
      updated_at: now,
      refund_status: "pending",
      refund_requested_at: now,
      refund_resolved_at: null,
      refund_reason: input.reason,
      refund_check_at: now,
      by: attempt,
    },
  );
  if (!row) throw new Error(`shipment ${input.shipment_id} is not being voided`);
  let voided = await store.changeShipment(tx, row, { refund_cents: row.cost_total_cents });
  await recordEvent(tx, {
    account_id,
    type: "shipment.voided",
    subject_id: row.id,
    data: {
      ...shipmentFacts(voided),
      previous_status: "purchased",
      ...labelFacts(voided),
      refund_status: "pending",
    },
    by: attempt,
  });
  if (outcome.refund === "approved")
    voided = await approveRefund(platform, tx, { row: voided, by: attempt });
  return recordOutcome(tx, attempt, answer(200, Shipment, toShipment(platform, voided)));
}
