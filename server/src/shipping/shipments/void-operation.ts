import {
  descriptorUnder,
  type CarrierData,
  type CarrierVoid,
  type LabelRef,
  type SentLabel,
} from "../../carriers/carrier.ts";
import type { AccountContext, Platform } from "../../context.ts";
import { json, type Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import {
  repeatable,
  toFailure,
  type Attempt,
  type OutboundOperation,
} from "../../outbound/operation.ts";
import type { Rate } from "../../domain/pricing/rate.ts";
import { contextOn } from "../connections/connection-book.ts";
import { isAboutUs } from "./carrier-refusal.ts";
import { ShipmentChanged } from "./decided-anew.ts";
import { searchOf } from "./label-ref.ts";
import { moveShipment } from "./move-shipment.ts";
import type { ShipmentRow } from "./store.ts";

/** What voiding a label and cancelling a booking have in common: everything but their ends. */

export interface VoidInput {
  shipment_id: string;
  carrier: string;
  environment: "live" | "test";
  purchase_reference: string;
  carrier_label_id: string;
  tracking_code: string;
  reason: string | null;
  /** That the label was bought on. Absent in voids begun before it was kept. */
  connection_id?: string | null;
  /** By this the fee of a cancelled booking becomes an amount of the account: 0 where the carrier bills the merchant. */
  fee_rate?: number;
  /** Absent in voids begun before it was kept. */
  carrier_data?: CarrierData | null;
  /** How the carrier is asked for the label. Absent in voids begun before it was kept. */
  sent?: { at: string; look_up: SentLabel["look_up"] };
}

/**
 * The first transaction: it locks the label or booking against another void and against changes of its state.
 * Throws `ShipmentChanged` when it is not as it was read.
 */
export async function prepareVoid(
  ctx: AccountContext,
  tx: Tx,
  { row, reason }: { row: ShipmentRow; reason: string | null },
) {
  const claimed = await moveShipment(tx, row, {
    status: "void_pending",
    updated_at: ctx.clock.now(),
    by: originOf(ctx),
  });
  if (!claimed) throw new ShipmentChanged(row.id);
  const { carrier, purchase_reference, carrier_label_id, tracking_code, carrier_data } = claimed;
  if (!carrier || !purchase_reference || !carrier_label_id || !tracking_code) {
    throw new Error(`shipment ${row.id} is ${row.status} but lacks the carrier's id`);
  }
  const sent_at = claimed.purchased_at ?? ctx.clock.now();
  const service = ctx.carriers.findService(claimed.service ?? "")?.service;
  const input: VoidInput = {
    shipment_id: row.id,
    carrier,
    environment: ctx.account.environment,
    purchase_reference,
    carrier_label_id,
    tracking_code,
    reason,
    connection_id: claimed.connection_id,
    ...feeRateOf(claimed),
    carrier_data,
    sent: {
      at: sent_at.toISOString(),
      look_up: searchOf(claimed, {
        ship_date: sent_at.toISOString().slice(0, 10),
        carrier_service_code: service?.carrier_service_code ?? "",
      }),
    },
  };
  return { subject_id: row.id, party: carrier, input, message: null };
}

function feeRateOf({ selected_rate }: ShipmentRow): { fee_rate?: number } {
  const { billed_by, exchange } = (selected_rate ?? {}) as Partial<Rate>;
  if (billed_by === "carrier") return { fee_rate: 0 };
  return exchange ? { fee_rate: exchange.rate } : {};
}

type VoidOperation = OutboundOperation<VoidInput, null, CarrierVoid, unknown>;
type VoidAttempt = Pick<Attempt<VoidInput>, "account_id" | "input">;

/**
 * The carrier makes a second call harmless, so recovery may repeat it. But a refusal of the second call
 * proves nothing about the first: then the label itself is looked up. When it stays valid, the shipment is
 * `back_to` its former state, with the reason.
 */
export function voidOperation(
  platform: Platform,
  { back_to, refusal }: { back_to: "purchased" | "booked"; refusal: string },
): Omit<VoidOperation, "kind" | "review" | "settle"> {
  const { call, repeat } = voidCalls(platform);
  return {
    timeoutSeconds: ({ carrier, connection_id }) =>
      descriptorUnder(platform.carriers.get(carrier).descriptor, connection_id)
        .purchaseTimeoutSeconds,
    lookUp: () => repeatable,
    send: (attempt, _message, signal) => call(attempt, signal),
    recovery: { by: "repeat", repeat },

    async release(tx, attempt, failure) {
      const { account_id, input } = attempt;
      const { message, party_code: carrier_code } = failure;
      await moveShipment(
        tx,
        { account_id, id: input.shipment_id },
        {
          status: back_to,
          updated_at: platform.clock.now(),
          last_error: json({ code: refusal, message, carrier_code }),
          by: attempt,
        },
      );
    },

    // The shipment is void_pending already.
    suspend: async () => undefined,
  };
}

function voidCalls(platform: Platform) {
  const { carriers, metrics } = platform;

  const call = async (attempt: VoidAttempt, signal: AbortSignal) => {
    const { carrier, connection_id } = attempt.input;
    const descriptor = descriptorUnder(carriers.get(carrier).descriptor, connection_id);
    // The carrier is not called: it will not bill a label that is never scanned.
    if (descriptor.voids.kind === "by_not_using") return { refund: "pending" as const };
    metrics.carrier_calls.inc({ carrier, operation: "void" });
    return complete(
      platform,
      carrier,
      await carriers.get(carrier).voidLabel(await refOf(platform, attempt), signal),
    );
  };

  /** The void of a label that the carrier shows as void; null for one that it does not show as such. */
  const findVoid = async (attempt: VoidAttempt, signal: AbortSignal) => {
    const { carrier, connection_id, sent, purchase_reference: reference } = attempt.input;
    const its = carriers.get(carrier);
    const descriptor = descriptorUnder(its.descriptor, connection_id);
    if (!sent || descriptor.lookUp.by === "none") return null;
    const label = await refOf(platform, attempt);
    const { context } = label;
    const sent_at = new Date(sent.at);
    metrics.carrier_calls.inc({ carrier, operation: "find_label" });
    const found = await its.lookUpLabel(
      { context, reference, sent_at, look_up: sent.look_up },
      signal,
    );
    if (found?.state !== "voided") return null;
    const { cancellation } = found;
    const refund = await its.refundState(label, signal);
    return complete(platform, carrier, { refund, ...(cancellation && { cancellation }) });
  };

  const repeat = async (attempt: VoidAttempt, signal: AbortSignal): Promise<CarrierVoid> => {
    const { carrier } = attempt.input;
    try {
      return await call(attempt, signal);
    } catch (error) {
      if (toFailure({ party: carrier }, error).kind !== "refused") throw error;
      const voided = await findVoid(attempt, signal).catch((cause: unknown) => {
        throw new Error("The label can be neither voided nor looked up.", { cause });
      });
      if (voided) return voided;
      // Rate limit reached, or a stale credential: the carrier has not decided about the void yet.
      if (isAboutUs(error))
        throw new Error("The carrier did not accept the call.", { cause: error });
      throw error;
    }
  };
  return { call, repeat };
}

async function refOf(platform: Platform, { account_id, input }: VoidAttempt): Promise<LabelRef> {
  const { environment, purchase_reference: reference, carrier_label_id, tracking_code } = input;
  const { connection_id, carrier_data = null } = input;
  const context = await contextOn(platform, { account_id, environment, connection_id });
  return { context, reference, carrier_label_id, tracking_code, carrier_data };
}

/** Throws for a cancelled booking whose carrier does not state what it keeps: the refund is unknown. */
function complete(
  { carriers }: Pick<Platform, "carriers">,
  carrier: string,
  { refund, cancellation }: CarrierVoid,
): CarrierVoid {
  if (carriers.get(carrier).descriptor.mode === "courier") return { refund };
  if (!cancellation) throw new Error(`${carrier} cancelled a booking and did not state the fee`);
  return { refund, cancellation };
}
