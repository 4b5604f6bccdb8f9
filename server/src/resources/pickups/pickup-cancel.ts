import type { Platform } from "../../context.ts";
import { descriptorUnder, type CarrierData } from "../../carriers/carrier.ts";
import type { SentPickup } from "../../carriers/pickups.ts";
import { json, type Environment, type Tx } from "../../database/tables.ts";
import { isOpen } from "../../domain/pickups/pickup-states.ts";
import {
  type Attempt,
  oneByOne,
  type OutboundOperation,
  repeatable,
  type ReviewOf,
  toFailure,
} from "../../outbound/operation.ts";
import type { PreparedAttempt } from "../../outbound/begin.ts";
import { newId } from "../../domain/values/ids.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { isAboutUs, partError } from "../../shipping/shipments/carrier-refusal.ts";
import { answerKey, syncPickupStatus } from "../../shipping/pickups/sync-pickup-status.ts";
import { giveFeeBack } from "./fees.ts";
import { pickupsOf, settleConfirmed } from "./pickup-booking.ts";
import { isNeeded } from "../../shipping/pickups/shared-store.ts";
import { freeShipments } from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";

/** The input of cancelling one carrier. */
interface PickupCancelInput {
  pickup_id: string;
  carrier: string;
  environment: Environment;
  booking_reference: string;
  carrier_pickup_id: string;
  confirmation_number: string;
  /** That it was booked on. Absent in cancellations begun before it was kept. */
  connection_id?: string | null;
  /** How the carrier is asked for it, and since when. Absent in cancellations begun before it was kept. */
  sent?: { at: string; look_up: SentPickup["look_up"] };
  /** Absent likewise. */
  shared?: boolean;
  carrier_data?: CarrierData | null;
}

/** The carrier does not come any more. */
interface CalledOff {
  called_off: true;
}
export const calledOff: CalledOff = { called_off: true };

/**
 * The outbound operation of cancelling one carrier of a pickup. A second call is harmless, so recovery may
 * repeat it; but a refusal of the second proves nothing about the first: then the pickup itself is looked up.
 * The last carrier that is cancelled stores the response of the key.
 */
export function pickupCancel(
  platform: Platform,
): OutboundOperation<PickupCancelInput, null, CalledOff, void> {
  const { call, repeat } = cancelCalls(platform);
  return {
    kind: "pickup_cancel",
    timeoutSeconds: ({ carrier, connection_id }) =>
      descriptorUnder(platform.carriers.get(carrier).descriptor, connection_id)
        .purchaseTimeoutSeconds,
    lookUp: () => repeatable,
    send: (attempt, _message, signal) => call(attempt, signal),
    recovery: { by: "repeat", repeat },
    review: cancelReview,

    settle: oneByOne(async (tx, { attempt }) => {
      const now = platform.clock.now();
      const pickup = await store.lockPickup(tx, attempt.account_id, attempt.input.pickup_id);
      const part = partOf(pickup, attempt.input);
      await store.movePart(tx, part, { status: "cancelled", ...nothingPaid, cancel_at: null });
      await freeShipments(tx, part, now);
      const after = await syncPickupStatus(tx, pickup, { at: now, by: attempt });
      if (!after.parts.some(({ status }) => isOpen(status)))
        await answerKey(tx, attempt, { status: 200, pickup: after });
      const { name: carrier_name } = platform.carriers.get(part.carrier).descriptor;
      await giveFeeBack(tx, part, { carrier_name, currency: pickup.currency, at: now });
    }),

    async release(tx, attempt, failure) {
      const pickup = await store.lockPickup(tx, attempt.account_id, attempt.input.pickup_id);
      const error = json(partError(failure));
      const part = await store.movePart(tx, partOf(pickup, attempt.input), {
        status: "confirmed",
        error,
      });
      if (part.shipment_ids.length > 0) await settleConfirmed(tx, part);
      else await store.cancelIn(tx, part, failure.kind === "refused" ? 3600 : 60);
      await syncPickupStatus(tx, pickup, { at: platform.clock.now(), by: attempt });
    },

    // The part is `cancelling` already.
    suspend: async () => undefined,
  };
}

type Cancel = Attempt<PickupCancelInput>;

function cancelCalls(platform: Platform) {
  const call = async ({ account_id, input }: Cancel, signal: AbortSignal) => {
    const { carrier, environment, booking_reference: reference, sent } = input;
    const { pickup_id, carrier_pickup_id, confirmation_number, carrier_data = null } = input;
    const part = { account_id, pickup_id, carrier, confirmation_number };
    // The carrier would cancel the other pickups under its number, too: it is called with the last of them.
    if (input.shared && (await isNeeded(platform.db, part))) return calledOff;
    platform.metrics.carrier_calls.inc({ carrier, operation: "pickup_cancel" });
    const { connection_id } = input;
    const context = await contextOn(platform, { account_id, environment, connection_id });
    const date = sent?.look_up.date ?? "";
    await pickupsOf(platform, carrier).cancel(
      { context, reference, carrier_pickup_id, confirmation_number, date, carrier_data },
      signal,
    );
    return calledOff;
  };
  const find = async ({ account_id, input }: Cancel, signal: AbortSignal) => {
    const { carrier, environment, booking_reference: reference, connection_id, sent } = input;
    const { descriptor } = platform.carriers.get(carrier);
    const { pickups } = descriptorUnder(descriptor, connection_id);
    if (!sent || !pickups || pickups.lookUp.by === "none") return null;
    platform.metrics.carrier_calls.inc({ carrier, operation: "find_pickup" });
    const context = await contextOn(platform, { account_id, environment, connection_id });
    const sent_at = new Date(sent.at);
    return pickupsOf(platform, carrier).lookUp(
      { context, reference, sent_at, look_up: sent.look_up },
      signal,
    );
  };
  const repeat = async (attempt: Cancel, signal: AbortSignal): Promise<CalledOff> => {
    try {
      return await call(attempt, signal);
    } catch (error) {
      if (toFailure(attempt, error).kind !== "refused") throw error;
      const pickup = await find(attempt, signal).catch((cause: unknown) => {
        throw new Error("The pickup can be neither cancelled nor looked up.", { cause });
      });
      if (pickup?.cancelled) return calledOff;
      if (isAboutUs(error))
        throw new Error("The carrier did not accept the call.", { cause: error });
      throw error;
    }
  };
  return { call, repeat };
}

const nothingPaid = { fee_cents: 0, tax_cents: 0, carrier_fee_cents: 0, error: null };

function partOf(pickup: store.WholePickup, { carrier }: { carrier: string }): store.PartRow {
  const part = pickup.parts.find((each) => each.carrier === carrier);
  if (!part) throw new Error(`pickup ${pickup.id} has no part of ${carrier}`);
  return part;
}

/** The first transaction of cancelling these confirmed parts. */
export async function beginCancel(
  tx: Tx,
  { date, address, created_at }: store.PickupRow,
  { parts, environment }: { parts: readonly store.PartRow[]; environment: Environment },
): Promise<PreparedAttempt<PickupCancelInput, null>[]> {
  const prepared = [];
  for (const part of parts) {
    const { pickup_id, carrier, reference, carrier_pickup_id, confirmation_number } = part;
    const { shared, carrier_data } = part;
    if (!reference || !carrier_pickup_id || !confirmation_number)
      throw new Error(`pickup ${pickup_id} is confirmed but lacks the id at ${carrier}`);
    await store.movePart(tx, part, { status: "cancelling", cancel_at: null });
    const input: PickupCancelInput = {
      pickup_id,
      carrier,
      environment,
      booking_reference: reference,
      carrier_pickup_id,
      confirmation_number,
      connection_id: part.connection_id,
      shared,
      carrier_data,
      sent: {
        at: created_at.toISOString(),
        look_up: { date, country: address.country_code, postal_code: address.postal_code },
      },
    };
    prepared.push({
      id: newId("att"),
      subject_id: pickup_id,
      party: carrier,
      input,
      message: null,
    });
  }
  return prepared;
}

/** A carrier that has not answered for a day whether it comes all the same. */
const cancelReview: ReviewOf<PickupCancelInput, CalledOff> = {
  evidence: {},
  advice: ({ input }) =>
    `Find out at ${input.carrier} whether pickup ${input.confirmation_number} is cancelled. ` +
    "If it is, or once you have cancelled it there, decide `stands`: the merchant gets its fee back. " +
    "If it cannot be cancelled, decide `void`: the carrier comes, and stays paid.",
  resultOf: async () => calledOff,
};
