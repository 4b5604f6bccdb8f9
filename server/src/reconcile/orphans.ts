import {
  CarrierError,
  descriptorUnder,
  type CallContext,
  type CarrierData,
  type CarrierVoid,
} from "../carriers/carrier.ts";
import type { Platform } from "../context.ts";
import { byShell } from "../domain/accounts/principal.ts";
import { OutsideError } from "../domain/errors/outside-error.ts";
import { recordAudit } from "../events/audit-log.ts";
import { oneByOne, repeatable, type OutboundOperation } from "../outbound/operation.ts";
import { perform, type Performed } from "../outbound/outbound.ts";
import { contextInForce, contextOn } from "../shipping/connections/connection-book.ts";
import { isAboutUs } from "../shipping/shipments/carrier-refusal.ts";
import { FinalRefusal, RetryLookup } from "./finding.ts";
import {
  undoReference,
  type ChargeRefund,
  type ListedCharge,
  type Processor,
} from "../providers/payments/payments.ts";

/** Their kinds, by which a reconciliation identifies its own attempts. */
export const orphanKinds = [
  "stray_label_void",
  "stray_pickup_cancel",
  "stray_charge_refund",
] as const;

/**
 * Effects without an owner here are reversed at their party: a label without a shipment that could be charged
 * for it is voided, a pickup without parcels cancelled, a charge without an account refunded. They move no
 * money in the ledger, but they are effects outside, so they are attempts like any other. All are idempotent.
 */

interface OrphanLabel extends OrphanOnConnection {
  reference: string;
  carrier_label_id: string;
  tracking_code: string;
}

interface OrphanOnConnection {
  environment: "live" | "test";
  /** That it was bought on, where that is known. Carriers' lists are of the platform's connection. */
  connection_id?: string | null;
  carrier_data?: CarrierData | null;
}

export function orphanLabelVoid(
  platform: Platform,
): OutboundOperation<OrphanLabel, null, CarrierVoid | null, void> {
  const call: OutboundOperation<OrphanLabel, null, CarrierVoid | null, void>["send"] = async (
    { account_id, party, input },
    _message,
    signal,
  ) => {
    const { environment: _in, connection_id: _on, carrier_data = null, ...label } = input;
    const context = await contextOf(platform, { account_id, party, input });
    const { descriptor } = platform.carriers.get(party);
    if (descriptorUnder(descriptor, context.connection?.id).voids.kind !== "api")
      throw voidsNone(party);
    platform.metrics.carrier_calls.inc({ carrier: party, operation: "void" });
    const carrier = platform.carriers.get(party);
    return aboutTheEffect(carrier.voidLabel({ context, ...label, carrier_data }, signal));
  };
  return {
    ...undoing("stray_label_void"),
    timeoutSeconds: () => 15,
    send: call,
    recovery: { by: "repeat", repeat: (attempt, signal) => call(attempt, null, signal) },
  };
}

interface OrphanPickup extends OrphanOnConnection {
  reference: string;
  carrier_pickup_id: string;
  /** Absent in attempts begun before they were kept. */
  confirmation_number?: string;
  date?: string;
}

export function orphanPickupCancel(
  platform: Platform,
): OutboundOperation<OrphanPickup, null, null, void> {
  const call: OutboundOperation<OrphanPickup, null, null, void>["send"] = async (
    { account_id, party, input },
    _message,
    signal,
  ) => {
    const { reference, carrier_pickup_id, confirmation_number = "", date = "" } = input;
    const { carrier_data = null } = input;
    platform.metrics.carrier_calls.inc({ carrier: party, operation: "pickup_cancel" });
    const context = await contextOf(platform, { account_id, party, input });
    const asked = {
      context,
      reference,
      carrier_pickup_id,
      confirmation_number,
      date,
      carrier_data,
    };
    await aboutTheEffect(platform.carriers.get(party).pickups!.cancel(asked, signal));
    return null;
  };
  return {
    ...undoing("stray_pickup_cancel"),
    timeoutSeconds: () => 15,
    send: call,
    recovery: { by: "repeat", repeat: (attempt, signal) => call(attempt, null, signal) },
  };
}

function voidsNone(carrier: string): CarrierError {
  const message = `${carrier} voids no labels`;
  return new CarrierError({ kind: "refused", carrier, carrier_code: "not_offered", message });
}

/**
 * Where the party refuses Waybill as a client, it says nothing about the effect, and may reverse it when it is asked
 * again: that is no final refusal.
 */
async function aboutTheEffect<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const { party, party_code, message } = error;
    // The second is a card processor's.
    if (!isAboutUs(error) && party_code !== "credentials_refused") throw error;
    throw new OutsideError({ kind: "unreachable", party, party_code, message }, error);
  }
}

async function contextOf(
  platform: Platform,
  { account_id, party, input }: { account_id: string; party: string; input: OrphanOnConnection },
): Promise<CallContext> {
  const { environment, connection_id } = input;
  if (connection_id) return contextOn(platform, { account_id, environment, connection_id });
  const settings = { own_carrier_accounts: false };
  return contextInForce(platform, { account_id, environment, settings }, party);
}

interface OrphanCharge {
  charge_reference: string;
  charge_id: string;
  amount_cents: number;
}

export function orphanChargeRefund(
  platform: Platform,
): OutboundOperation<OrphanCharge, null, ChargeRefund | null, void> {
  const call: OutboundOperation<OrphanCharge, null, ChargeRefund | null, void>["send"] = async (
    { party, input },
    _message,
    signal,
  ) => {
    // The reference of `topUp`'s own reversal: whichever comes first, the money is refunded once.
    const reference = undoReference(input.charge_reference);
    const processor = platform.payments.named(party as Processor);
    return aboutTheEffect(processor.refund({ reference, ...input }, signal));
  };
  return {
    ...undoing("stray_charge_refund"),
    timeoutSeconds: () => 25,
    send: call,
    recovery: { by: "repeat", repeat: (attempt, signal) => call(attempt, null, signal) },
  };
}

/** What they share: no hold, and an end that is one line in the audit log. */
function undoing(kind: (typeof orphanKinds)[number]) {
  return {
    kind,
    lookUp: () => repeatable,
    review: orphanReview,
    settle: oneByOne<OrphanLabel | OrphanPickup | OrphanCharge, unknown, void>(
      async (tx, { attempt }) => {
        const { account_id, subject_id, party, input } = attempt;
        const details = { party, ...input };
        const action = `reconcile.${kind}`;
        await recordAudit(tx, { account_id, by: attempt, action, subject_id, details });
      },
    ),
    release: async () => undefined,
    suspend: async () => undefined,
  };
}

/** No answer for a day whether the party reversed it: its own site shows it. Nothing here depends on it. */
const orphanReview = {
  evidence: {},
  advice: ({ party, input }: OrphanAttempt) =>
    `Find out at ${party} whether this is undone, and undo it there if it is not: ${JSON.stringify(input)}. ` +
    "Then decide `stands`; decide `void` to leave it as it is.",
  // The party's response is stored nowhere.
  resultOf: async () => null,
};

interface OrphanAttempt {
  account_id: string;
  subject_id: string;
  party: string;
  input: OrphanLabel | OrphanPickup | OrphanCharge;
}

function refuseUnsettled(performed: Performed<void>): void {
  if (performed.result === "unknown") throw new RetryLookup(performed.failure.message);
  if (performed.result === "settled") return;
  const { kind, message } = performed.failure;
  throw kind === "refused" ? new FinalRefusal(message) : new Error(message);
}

/**
 * Voids a label at its carrier. Throws with the carrier's message when it refused, or the outcome is unknown.
 */
export async function voidOrphan(
  platform: Platform,
  whose: { account_id: string; shipment_id: string; carrier: string },
  input: OrphanLabel,
): Promise<void> {
  const performed = await perform(platform.outbound, orphanLabelVoid(platform), {
    account_id: whose.account_id,
    idempotency_key: null,
    by: byShell,
    prepare: async () => ({
      subject_id: whose.shipment_id,
      party: whose.carrier,
      input,
      message: null,
    }),
  });
  refuseUnsettled(performed);
}

/** Cancels a pickup. Throws with the carrier's message when it refused, or the outcome is unknown. */
export async function cancelOrphan(
  platform: Platform,
  whose: { account_id: string; pickup_id: string; carrier: string },
  input: OrphanPickup,
): Promise<void> {
  const performed = await perform(platform.outbound, orphanPickupCancel(platform), {
    account_id: whose.account_id,
    idempotency_key: null,
    by: byShell,
    prepare: async () => ({
      subject_id: whose.pickup_id,
      party: whose.carrier,
      input,
      message: null,
    }),
  });
  refuseUnsettled(performed);
}

/** Refunds all that is left of a charge. Throws with the processor's message. */
export async function refundOrphan(
  platform: Platform,
  charge: ListedCharge,
  party: Processor,
): Promise<void> {
  const { account_id, transaction_id, reference, charge_id } = charge;
  const amount_cents = charge.amount_cents - charge.refunded_cents;
  const performed = await perform(platform.outbound, orphanChargeRefund(platform), {
    account_id,
    idempotency_key: null,
    by: byShell,
    prepare: async () => ({
      subject_id: transaction_id,
      party,
      input: { charge_reference: reference, charge_id, amount_cents },
      message: null,
    }),
  });
  refuseUnsettled(performed);
}
