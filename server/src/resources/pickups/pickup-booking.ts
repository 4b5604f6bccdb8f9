import { Type, type Static } from "typebox";
import { CarrierError, descriptorUnder } from "../../carriers/carrier.ts";
import type {
  CarrierPickup,
  CarrierPickups,
  PickupRequest,
  SentPickup,
} from "../../carriers/pickups.ts";
import type { Platform } from "../../context.ts";
import { json, type Tx } from "../../database/tables.ts";
import type { Cents } from "../../domain/values/money.ts";
import { newHold, release } from "../../ledger/holds.ts";
import type { Prepared } from "../../outbound/begin.ts";
import {
  type Attempt,
  oneByOne,
  type OutboundOperation,
  type ReviewOf,
  undone,
} from "../../outbound/operation.ts";
import { dataToStore } from "../../shipping/shipments/carrier-data.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { isNeeded } from "../../shipping/pickups/shared-store.ts";
import { answerKey, syncPickupStatus } from "../../shipping/pickups/sync-pickup-status.ts";
import { lookUpOf } from "../../shipping/connections/unknown-outcomes.ts";
import { bookedFeeCents, payFee, type PickupBookingInput, type PickupPrice } from "./fees.ts";
import { freeShipments, isMoving } from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";
import { partError, deletedConnection } from "../../shipping/shipments/carrier-refusal.ts";

/** The request to the carrier, without the reference. */
export type PickupMessage = Omit<PickupRequest, "reference">;

/** One carrier that is to be asked, and the cost of its pickup. */
export interface PlannedBooking {
  carrier: string;
  expected_fee_cents: Cents;
  price: PickupPrice;
  fee_currency?: string;
  fee_rate?: number;
  message: PickupMessage;
}

/** What the attempt of one carrier of a pickup stores, and its hold. */
export function prepareBooking({
  carrier,
  expected_fee_cents,
  price,
  message,
  ...of_fee
}: PlannedBooking): Prepared<PickupBookingInput, PickupMessage> {
  const cost = price.total_cents === 0 ? {} : { hold: newHold(price.total_cents) };
  const { pickup_id } = message.references;
  const { environment } = message.context;
  const input: PickupBookingInput = {
    pickup_id,
    carrier,
    environment,
    expected_fee_cents,
    price,
    ...of_fee,
    ...(cost.hold ? { hold_id: cost.hold.id } : {}),
    look_up: {
      connection_id: message.context.connection?.id ?? null,
      date: message.date,
      country: message.address.country_code,
      postal_code: message.address.postal_code,
    },
  };
  return { subject_id: pickup_id, party: carrier, input, message, ...cost };
}

/**
 * The carrier's pickup interface. Throws for a carrier without pickups: its code was stored by this platform,
 * so that is a bug.
 */
export function pickupsOf({ carriers }: Platform, carrier: string): CarrierPickups {
  const { pickups } = carriers.get(carrier);
  if (!pickups) throw new Error(`${carrier} offers no pickups`);
  return pickups;
}

function counter({ metrics }: Platform) {
  return (carrier: string, operation: string) => metrics.carrier_calls.inc({ carrier, operation });
}

type Booking = Attempt<PickupBookingInput>;

/**
 * The outbound operation of requesting one carrier's pickup. Each carrier is an attempt of its own, and the
 * last one that ends stores the response of the key: 201 unless all of them failed.
 */
export function pickupBooking(
  platform: Platform,
): OutboundOperation<PickupBookingInput, PickupMessage, CarrierPickup, void> {
  const descriptorOf = ({ carrier, look_up }: PickupBookingInput) =>
    descriptorUnder(platform.carriers.get(carrier).descriptor, look_up?.connection_id);
  const factOf = (input: PickupBookingInput) =>
    descriptorOf(input).pickups?.lookUp ?? ({ by: "none" } as const);
  const count = counter(platform);
  const finalize = async (tx: Tx, attempt: Booking, locked: store.WholePickup) => {
    const pickup = await syncPickupStatus(tx, locked, { at: platform.clock.now(), by: attempt });
    if (pickup.status === "scheduled" || pickup.status === "failed") return;
    await answerKey(tx, attempt, { status: 201, pickup });
  };

  return {
    kind: "pickup",
    timeoutSeconds: (input) => descriptorOf(input).purchaseTimeoutSeconds,
    withoutConnection: ({ carrier }) => deletedConnection(carrier),
    lookUp: (input, account_id) => lookUpOf(platform, factOf(input), { account_id, input }),
    review: bookingReview,

    send({ party, reference }, message, signal) {
      count(party, "pickup");
      return pickupsOf(platform, party).schedule({ ...message, reference }, signal);
    },

    recovery: {
      by: "find",
      async find(attempt, signal) {
        const { party } = attempt;
        count(party, "find_pickup");
        const sent = await sentPickupOf(platform, attempt);
        const found = await pickupsOf(platform, party).lookUp(sent, signal);
        return found?.cancelled ? undone : found;
      },
    },

    async undo({ account_id, party, reference, input }, pickup, signal) {
      const { environment, pickup_id, look_up } = input;
      const part = { account_id, pickup_id, carrier: party };
      // The carrier would cancel the other pickups under its number, too.
      if (pickup.shared && (await isNeeded(platform.db, { ...part, ...pickup }))) return;
      count(party, "pickup_cancel");
      const { carrier_pickup_id, confirmation_number, date, carrier_data } = pickup;
      const of = { account_id, environment, connection_id: look_up?.connection_id };
      const context = await contextOn(platform, of);
      await pickupsOf(platform, party).cancel(
        { context, reference, carrier_pickup_id, confirmation_number, date, carrier_data },
        signal,
      );
    },

    mismatchIn: ({ input }, pickup) =>
      feeMismatch(input, pickup.fee) ?? dateMismatch(input, pickup),

    settle: oneByOne(async (tx, { attempt, result: booked }) => {
      const { account_id, input } = attempt;
      const pickup = await store.lockPickup(tx, account_id, input.pickup_id);
      await confirm(platform, tx, { attempt, booked });
      await finalize(tx, attempt, pickup);
      const at = platform.clock.now();
      await payFee(tx, { attempt, carrier_name: descriptorOf(input).name, pickup: booked, at });
    }),

    async release(tx, attempt, failure) {
      const { account_id, input } = attempt;
      const now = platform.clock.now();
      const pickup = await store.lockPickup(tx, account_id, input.pickup_id);
      const part = { account_id, pickup_id: input.pickup_id, carrier: input.carrier };
      const error = json(partError(failure));
      const failed = await store.movePart(tx, part, { status: "failed", error });
      await freeShipments(tx, failed, now);
      await finalize(tx, attempt, pickup);
      if (input.hold_id) await release(tx, account_id, input.hold_id);
    },

    // The part is `scheduled` already.
    suspend: async () => undefined,
  };
}

/** What a carrier is asked for whose answer to the request of a pickup is not known. */
async function sentPickupOf(
  platform: Platform,
  attempt: Attempt<PickupBookingInput>,
): Promise<SentPickup> {
  const { account_id, reference, sent_at, input } = attempt;
  const { environment, look_up } = input;
  const { connection_id } = look_up ?? {};
  const context = await contextOn(platform, { account_id, environment, connection_id });
  // Begun by a release that stored no search: its carriers are found by the reference alone.
  const unknown = { date: sent_at.toISOString().slice(0, 10), country: "", postal_code: null };
  const { date, country, postal_code } = look_up ?? unknown;
  return { context, reference, sent_at, look_up: { date, country, postal_code } };
}

function feeMismatch(
  { carrier, expected_fee_cents, price, fee_currency = price.currency }: PickupBookingInput,
  fee: CarrierPickup["fee"],
): CarrierError | null {
  if (fee === null) return null;
  if (fee.amount_cents <= expected_fee_cents && fee.currency === fee_currency) return null;
  return new CarrierError({
    kind: "refused",
    carrier,
    carrier_code: "price_changed",
    message: "The carrier charged more for the pickup than was expected; it was cancelled.",
  });
}

/** On another day the sender does not expect the driver. */
function dateMismatch(
  { carrier, look_up }: PickupBookingInput,
  { date }: CarrierPickup,
): CarrierError | null {
  if (!look_up || look_up.date === date) return null;
  return new CarrierError({
    kind: "refused",
    carrier,
    carrier_code: "date_changed",
    message: `The carrier would come on ${date}, not on ${look_up.date}; the pickup was cancelled.`,
  });
}

async function confirm(
  platform: Platform,
  tx: Tx,
  { attempt, booked }: { attempt: Attempt<PickupBookingInput>; booked: CarrierPickup },
): Promise<void> {
  const { account_id, reference, input } = attempt;
  const { pickup_id, carrier, price } = input;
  const data = dataToStore(platform, attempt, booked.carrier_data);
  const part = await store.movePart(
    tx,
    { account_id, pickup_id, carrier },
    {
      status: "confirmed",
      reference,
      carrier_pickup_id: booked.carrier_pickup_id,
      confirmation_number: booked.confirmation_number,
      fee_cents: price.subtotal_cents,
      tax_cents: price.tax_cents,
      carrier_fee_cents: bookedFeeCents(input, booked),
      carrier_data: data && json(data),
      shared: booked.shared,
    },
  );
  await settleConfirmed(tx, part);
}

/**
 * What may have happened before a part was confirmed, or confirmed again: its parcels are on their way, or
 * there are none left.
 */
export async function settleConfirmed(tx: Tx, part: store.PartRow): Promise<void> {
  if (part.shipment_ids.length === 0) await store.cancelIn(tx, part, 0);
  else if (await isMoving(tx, part)) await store.movePart(tx, part, { status: "picked_up" });
}

const FoundByHand = Type.Object(
  {
    confirmation_number: Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\x21-\\x7e]+$" }),
    carrier_pickup_id: Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\x21-\\x7e]+$" }),
  },
  { additionalProperties: false },
);

/** A carrier with an unknown outcome: its own site, or its help desk, can tell. */
const bookingReview: ReviewOf<PickupBookingInput, CarrierPickup> = {
  evidence: { pickup: FoundByHand },
  advice: ({ reference, input }) =>
    `Find out at ${input.carrier} whether it comes for pickup ${input.pickup_id} (our reference is ${reference}). ` +
    "If it does, decide `stands` with the pickup's id and its confirmation number: the merchant has it and pays for it. " +
    "If it does not, or once you have cancelled it there, decide `void`: its shipments are free again.",
  resultOf: async ({ input, sent_at }, evidence) => {
    const { look_up, price, fee_currency = price.currency } = input;
    const { pickup } = evidence as { pickup: Static<typeof FoundByHand> };
    const fee = { amount_cents: input.expected_fee_cents, currency: fee_currency };
    const date = look_up?.date ?? sent_at.toISOString().slice(0, 10);
    return { ...pickup, fee, date, shared: false, carrier_data: null };
  },
};
