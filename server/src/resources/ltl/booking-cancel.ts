import { Type, type Static } from "typebox";
import type { CarrierVoid } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { json, type Tx } from "../../database/tables.ts";
import { keptOf } from "../../domain/shipments/cancellation.ts";
import type { FreightCancellation } from "../../domain/goods/freight.ts";
import { exchanged } from "../../domain/values/exchange.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import { Money } from "../../domain/values/schema.ts";
import { recordEvent } from "../../events/outbox.ts";
import { answer, recordOutcome, type StoredResponse } from "../../http/idempotency.ts";
import {
  type Effect,
  oneByOne,
  type OutboundOperation,
  type ReviewOf,
} from "../../outbound/operation.ts";
import { labelFacts, shipmentFacts } from "../../shipping/shipments/event-facts.ts";
import { moveShipment } from "../../shipping/shipments/move-shipment.ts";
import { approveRefund } from "../../shipping/shipments/refunds.ts";
import { changeShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { voidOperation, type VoidInput } from "../../shipping/shipments/void-operation.ts";
import { CancelledBooking } from "./schemas.ts";
import { toCancelled } from "./view.ts";

/** The outbound operation of cancelling an LTL booking: like a label's void, but refunded at once. */
export function bookingCancel(
  platform: Platform,
): OutboundOperation<VoidInput, null, CarrierVoid, StoredResponse> {
  return {
    kind: "ltl_cancel",
    ...voidOperation(platform, { back_to: "booked", refusal: "not_cancellable" }),
    review: cancelReview,
    settle: oneByOne((tx, effect) => finalize(platform, tx, effect)),
  };
}

const FoundByHand = {
  carrier_confirmation: Type.String({ minLength: 1, maxLength: 100 }),
  fee: Money({ minimum: 0, maximum: 1_000_000, description: "What the carrier keeps." }),
};

/**
 * A carrier that has not answered for a day whether it cancelled: its own site, or its dispatcher, can tell.
 */
const cancelReview: ReviewOf<VoidInput, CarrierVoid> = {
  evidence: FoundByHand,
  advice: ({ input }) =>
    `Find out at ${input.carrier} whether booking ${input.carrier_label_id} (${input.tracking_code}) is cancelled. ` +
    "If it is, or once you have cancelled it there, decide `stands` with its `carrier_confirmation` and `fee`: the merchant is refunded the rest. " +
    "If it cannot be cancelled, decide `void`: the booking stands and stays paid.",
  async resultOf(_attempt, evidence) {
    const found = evidence as Static<Type.TObject<typeof FoundByHand>>;
    const { carrier_confirmation, fee } = found;
    const cancellation = { carrier_confirmation, fee_cents: toCents(fee) };
    return { refund: "approved", cancellation };
  },
};

/** The truck does not come: what the carrier does not keep is refunded to the account. */
async function finalize(
  platform: Platform,
  tx: Tx,
  { attempt, result: outcome }: Effect<VoidInput, CarrierVoid>,
): Promise<StoredResponse> {
  const { account_id, input } = attempt;
  if (!outcome.cancellation)
    throw new Error(`the fee of cancelling ${input.shipment_id} is unknown`);
  const cancellation = inAccountCurrency(outcome.cancellation, input);
  const now = platform.clock.now();
  const row = await moveShipment(
    tx,
    { account_id, id: input.shipment_id },
    {
      status: "cancelled",
      voided_at: now,
      updated_at: now,
      cancellation: json(cancellation),
      refund_requested_at: now,
      refund_reason: input.reason,
      by: attempt,
    },
  );
  if (!row) throw new Error(`shipment ${input.shipment_id} is not being cancelled`);
  const { fee_cents, carrier_confirmation } = cancellation;
  const kept = keptOf(priceOf(row), fee_cents);
  const refund_cents = (row.cost_total_cents ?? 0) - kept.total_cents;
  const due = await changeShipment(tx, row, { refund_cents });
  await recordEvent(tx, {
    account_id,
    type: "ltl.cancelled",
    subject_id: row.id,
    data: {
      ...shipmentFacts(due),
      previous_status: "booked",
      ...labelFacts(due),
      carrier_confirmation,
      fee: fromCents(fee_cents),
      refund: fromCents(refund_cents),
      currency: row.cost_currency ?? "",
    },
    by: attempt,
  });
  const all = { ...kept, carrier_cents: fee_cents };
  const cancelled = await approveRefund(platform, tx, { row: due, by: attempt, kept: all });
  return recordOutcome(
    tx,
    attempt,
    answer(200, CancelledBooking, toCancelled(platform, cancelled)),
  );
}

/** On an account's own connection the carrier bills its fee to the merchant. */
function inAccountCurrency(
  { fee_cents, ...cancellation }: FreightCancellation,
  { fee_rate = 1 }: VoidInput,
): FreightCancellation {
  return { ...cancellation, fee_cents: exchanged(fee_cents, fee_rate) };
}

function priceOf({ cost_subtotal_cents, cost_tax_cents, cost_total_cents }: ShipmentRow) {
  return {
    subtotal_cents: cost_subtotal_cents ?? 0,
    tax_cents: cost_tax_cents ?? 0,
    total_cents: cost_total_cents ?? 0,
  };
}
