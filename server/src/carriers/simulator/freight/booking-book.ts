import { randomUUID } from "node:crypto";
import type { Clock } from "../../../domain/clock.ts";
import { percentOf } from "../../../domain/money.ts";
import { changedPage, type ListTerms } from "../changed-page.ts";
import { inTurn } from "../in-turn.ts";
import type { Entry } from "../journal.ts";
import type { Answer, Books, PurchaseTerms } from "../label-book.ts";
import { Refusal } from "../refusal.ts";
import { priceRisePercent, steeringOf } from "../steering.ts";
import {
  startOf,
  type BookingFacts,
  type BookingState,
  type CancelFacts,
} from "./booking-facts.ts";
import { trackBooking } from "./booking-tracking.ts";
import { cancelFeeCents, pickupStage, type PickupStage } from "./cancelling.ts";
import { bookingNumbers } from "./numbers.ts";
import { checkQuoteNumber } from "./quote-numbers.ts";
import { freightCost, priceFreight } from "./rating/price-freight.ts";
import type { FreightTariff } from "./tariff.ts";
import type { WireTracking } from "../wire.ts";
import type { WireBooking, WireBookingRequest, WireListedBooking } from "./wire.ts";

/**
 * One freight carrier's book of orders to fetch freight. As with labels, memory holds what decides and the
 * journal the rest. Calling an order off costs more the nearer the lorry is, and nothing can be called off
 * once it was there.
 */
export interface BookingBook {
  /** Takes an order under a reference that was never used. Throws a refusal, having committed nothing. */
  book(request: WireBookingRequest, terms: PurchaseTerms): Promise<Answer<WireBooking>>;
  find(reference: string): Promise<WireBooking | null>;
  /** The orders that were taken or called off since a moment, in the order in which they were taken. */
  list(terms: ListTerms): Promise<{ bookings: WireListedBooking[]; next_cursor: number | null }>;
  /** What was scanned until now; null for a number that is not one of ours. */
  track(code: string): Promise<WireTracking | null>;
  /** Calls an order off; one that is off already is off again, at the same fee. */
  cancel(bookingId: string, reference: string): Promise<Answer<WireBooking>>;
  /** Takes up a committed entry: after an append, and for each entry of the journal at the start. */
  replay(entry: Entry): void;
}

export function bookingBook(
  tariff: FreightTariff,
  { journal, journeys, clock }: Books & { clock: Clock },
): BookingBook {
  const byReference = new Map<string, BookingState>();
  const byId = new Map<string, BookingState>();
  const byCode = new Map<string, BookingState>();
  const turn = inTurn();
  let lastSerial = 0;

  async function read(state: BookingState): Promise<Entry & BookingFacts> {
    return (await journal.readOne(state.sequence)) as Entry & BookingFacts;
  }

  async function answer(state: BookingState): Promise<WireBooking> {
    return asWire(tariff, { entry: await read(state), state, stage: stageOf(state) });
  }

  function stageOf(state: BookingState): PickupStage {
    if (state.used || journeys.isScanned(startOf(state))) return "picked_up";
    const stage = pickupStage(state.pickup, journeys.now());
    return stage === "ahead" && state.charges_fee ? "on_the_day" : stage;
  }

  async function book(request: WireBookingRequest, { account, tooLate }: PurchaseTerms) {
    if (byReference.has(request.reference)) {
      throw new Refusal(409, "duplicate_reference", "Freight was booked under this reference.");
    }
    const price = agreedPrice(tariff, request, { seed: journal.seed, now: clock.now() });
    if (tooLate())
      throw new Refusal(503, "too_late", "The booking waited too long; nothing was booked.");
    const serial = (lastSerial += 1);
    replay(
      await journal.append<BookingFacts>({
        carrier: tariff.carrier,
        operation: "ltl_booking",
        reference: request.reference,
        ...numbersOf(tariff, journal.seed, serial),
        ...account,
        booking_id: randomUUID(),
        service_code: request.service_code,
        quote_number: request.quote_number,
        ...price,
        serial,
        request,
      }),
    );
    const state = byReference.get(request.reference)!;
    return { value: await answer(state), lose_answer: state.lose_answer };
  }

  async function cancel(state: BookingState) {
    const isFirst = !state.cancelled;
    if (isFirst) {
      const stage = stageOf(state);
      if (stage === "picked_up")
        throw new Refusal(409, "picked_up", "The freight was picked up; the order stands.");
      const { amount_cents, currency, cancellation_number, tracking_code } = await read(state);
      replay(
        await journal.append<CancelFacts>({
          carrier: tariff.carrier,
          operation: "ltl_cancel",
          reference: state.reference,
          tracking_code,
          booking_id: state.booking_id,
          cancellation_number,
          fee_cents: cancelFeeCents(tariff, stage, { amount_cents, currency }),
          currency,
        }),
      );
    }
    return { value: await answer(state), lose_answer: isFirst && state.lose_answer };
  }

  function replay(entry: Entry): void {
    if (entry.operation === "ltl_booking") {
      const state = stateFrom(entry as Entry & BookingFacts);
      byReference.set(state.reference, state);
      byId.set(state.booking_id, state);
      const { serial, confirmation_number, pro_number } = entry as Entry & BookingFacts;
      for (const code of [confirmation_number, pro_number]) byCode.set(code, state);
      lastSerial = Math.max(lastSerial, serial);
    }
    if (entry.operation === "ltl_cancel") {
      const { booking_id, cancellation_number, fee_cents, currency } = entry as Entry & CancelFacts;
      const state = byId.get(booking_id)!;
      const { at } = entry;
      state.cancelled = { booking_id, cancellation_number, fee_cents, currency, at };
      state.changed_at = entry.at;
    }
  }

  return {
    book: (request, terms) => turn(request.reference, () => book(request, terms)),
    find: (reference) =>
      turn(reference, async () => {
        const state = byReference.get(reference);
        return state ? answer(state) : null;
      }),
    async list(terms) {
      const { page, next_cursor } = changedPage(byReference.values(), terms);
      const bookings = page.map(async (state) => {
        const { request, service_code, at } = await read(state);
        const references = request.references ?? null;
        return { ...(await answer(state)), references, service_code, booked_at: at };
      });
      return { bookings: await Promise.all(bookings), next_cursor };
    },
    async track(code) {
      const state = byCode.get(code);
      return state ? trackBooking(await read(state), code, { tariff, journeys, state }) : null;
    },
    async cancel(bookingId, reference) {
      const state = byId.get(bookingId);
      if (state?.reference !== reference)
        throw new Refusal(404, "booking_not_found", "There is no such booking.");
      return turn(reference, () => cancel(state));
    },
    replay,
  };
}

/** An order as the journal tells of it, before anybody calls it off. */
function stateFrom(entry: Entry & BookingFacts): BookingState {
  const { sender, recipient, pickup_date, pickup } = entry.request;
  const { used_label, cancel_fee, track, lost_answer } = steeringOf(recipient, entry.carrier);
  return {
    sequence: entry.sequence,
    environment: entry.environment,
    changed_at: entry.at,
    booked_at: entry.at,
    booking_id: entry.booking_id,
    reference: entry.reference,
    pickup: {
      date: pickup_date,
      ready_time: pickup.ready_time,
      close_time: pickup.close_time,
      place: sender,
    },
    used: used_label,
    charges_fee: cancel_fee,
    story: track,
    lose_answer: lost_answer,
    cancelled: null,
  };
}

function numbersOf(tariff: FreightTariff, seed: string, serial: number) {
  const numbers = bookingNumbers(tariff.carrier, { seed, serial });
  const { pro_number, confirmation_number } = numbers;
  const tracking_code = tariff.pro_assigned_at === "booking" ? pro_number : confirmation_number;
  return { tracking_code, ...numbers };
}

/** Refuses what is not offered, a quote that is not good, or a price above the expected one. */
function agreedPrice(
  tariff: FreightTariff,
  request: WireBookingRequest,
  { seed, now }: { seed: string; now: Date },
): { amount_cents: number; currency: string } {
  const { expected_cost, service_code, recipient, quote_number } = request;
  const { currency } = expected_cost;
  const { carrier } = tariff;
  const steering = steeringOf(recipient, carrier);
  if (steering.refuse) {
    throw new Refusal(422, "shipment_refused", "The carrier refuses this shipment (sim:refuse).");
  }
  const consignment = { ...request, currency };
  const priced = priceFreight(tariff, service_code, consignment);
  if ("unavailable" in priced) {
    throw new Refusal(422, priced.unavailable.code, priced.unavailable.message);
  }
  const { rate } = priced;
  checkQuoteNumber(quote_number, { carrier, seed, rate, consignment }, now);
  const cost = freightCost(rate);
  const amount_cents = cost + (steering.price_up ? percentOf(cost, priceRisePercent) : 0);
  if (amount_cents > expected_cost.amount_cents) {
    const message = "The price is higher than expected; nothing was booked.";
    throw new Refusal(409, "price_changed", message, { actual_cost: { amount_cents, currency } });
  }
  return { amount_cents, currency };
}

function asWire(
  tariff: FreightTariff,
  booking: { entry: Entry & BookingFacts; state: BookingState; stage: PickupStage },
): WireBooking {
  const { entry, state, stage } = booking;
  const { booking_id, reference, confirmation_number, bol_number, amount_cents, currency } = entry;
  const { cancelled } = state;
  const isPickedUp = stage === "picked_up" && !cancelled;
  return {
    booking_id,
    reference,
    confirmation_number,
    bol_number,
    pro_number: tariff.pro_assigned_at === "booking" || isPickedUp ? entry.pro_number : null,
    amount_cents,
    currency,
    cancellation: cancelled && {
      cancellation_number: cancelled.cancellation_number,
      fee_cents: cancelled.fee_cents,
    },
  };
}
