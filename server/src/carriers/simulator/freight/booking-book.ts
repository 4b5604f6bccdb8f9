import { randomUUID } from "node:crypto";
import type { Clock } from "../../../domain/time/clock.ts";
import { changedPage, type ListOptions } from "../changed-page.ts";
import { inTurn } from "../in-turn.ts";
import type { Entry } from "../journal.ts";
import { hasPassed } from "../label-facts.ts";
import type { BookResult, Books, PurchaseOptions } from "../label-book.ts";
import { Refusal } from "../refusal.ts";
import type { WireTracking } from "../wire.ts";
import { agreedPrice } from "./agreed-price.ts";
import {
  startOf,
  type BookingFacts,
  type BookingState,
  type CancelFacts,
} from "./booking-facts.ts";
import { bookingStates, type BookingStates } from "./booking-states.ts";
import { trackBooking } from "./booking-tracking.ts";
import { cancelFeeCents, pickupStage, type PickupStage } from "./cancelling.ts";
import { bookingNumbers } from "./numbers.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";
import type { WireBooking, WireBookingRequest, WireListedBooking } from "./wire.ts";

/**
 * One freight carrier's bookings. As with labels, memory holds what decides and the journal the rest.
 * Cancelling costs more the nearer the truck is, and is impossible once the truck was there.
 */
export interface BookingBook {
  /** Takes a booking under a reference that was never used. Throws a refusal, having committed nothing. */
  book(request: WireBookingRequest, options: PurchaseOptions): Promise<BookResult<WireBooking>>;
  find(reference: string): Promise<WireBooking | null>;
  /** The bookings that were taken or cancelled since a moment, in the order in which they were taken. */
  list(
    options: ListOptions,
  ): Promise<{ bookings: WireListedBooking[]; next_cursor: number | null }>;
  /** The scans until now; null for a number that this carrier did not issue. */
  track(code: string): Promise<WireTracking | null>;
  /** Cancels a booking; one that is cancelled already is cancelled again, at the same fee. */
  cancel(bookingId: string, reference: string): Promise<BookResult<WireBooking>>;
  /** Applies a committed entry: after an append, and for each entry of the journal at the start. */
  replay(entry: Entry): void;
}

export function bookingBook(tariff: FreightTariff, books: Books & { clock: Clock }): BookingBook {
  const states = bookingStates();
  const dependencies = { ...books, tariff, states };
  const turn = inTurn();
  return {
    book: (request, options) => turn(request.reference, () => book(dependencies, request, options)),
    find: (reference) =>
      turn(reference, async () => {
        const state = states.byReference(reference);
        const { now } = dependencies.clock;
        const isShown =
          state && hasPassed(state.lag_seconds, { bought_at: state.booked_at }, now());
        return isShown ? asWire(dependencies, state) : null;
      }),
    async list(options) {
      const { page, next_cursor } = changedPage(states.all(), options);
      const bookings = await Promise.all(page.map((state) => listed(dependencies, state)));
      return { bookings, next_cursor };
    },
    async track(code) {
      const state = states.byCode(code);
      return state
        ? trackBooking(await read(dependencies, state), code, { ...dependencies, state })
        : null;
    },
    async cancel(bookingId, reference) {
      const state = states.byId(bookingId);
      if (state?.reference !== reference)
        throw new Refusal(404, "booking_not_found", "There is no such booking.");
      return turn(reference, () => cancel(dependencies, state));
    },
    replay: (entry) => states.replay(entry),
  };
}

interface BookingDependencies extends Books {
  tariff: FreightTariff;
  states: BookingStates;
  /** The real one, by which quotes expire. */
  clock: Clock;
}

async function book(
  dependencies: BookingDependencies,
  request: WireBookingRequest,
  { account, tooLate }: PurchaseOptions,
): Promise<BookResult<WireBooking>> {
  const { tariff, states, journal, clock } = dependencies;
  const { reference, service_code, quote_number } = request;
  if (states.byReference(reference)) {
    throw new Refusal(409, "duplicate_reference", "Freight was booked under this reference.");
  }
  const price = agreedPrice(tariff, request, { seed: journal.seed, now: clock.now() });
  if (tooLate())
    throw new Refusal(503, "too_late", "The booking waited too long; nothing was booked.");
  const serial = states.nextSerial();
  states.replay(
    await journal.append<BookingFacts>({
      carrier: tariff.carrier,
      operation: "ltl_booking",
      reference,
      ...numbersOf(tariff, journal.seed, serial),
      ...account,
      booking_id: randomUUID(),
      service_code,
      quote_number,
      ...price,
      serial,
      request,
    }),
  );
  const state = states.byReference(reference)!;
  return { value: await asWire(dependencies, state), drop_response: state.drop_response };
}

function numbersOf(tariff: FreightTariff, seed: string, serial: number) {
  const numbers = bookingNumbers(tariff.carrier, { seed, serial });
  const { pro_number, confirmation_number } = numbers;
  const tracking_code = tariff.pro_assigned_at === "booking" ? pro_number : confirmation_number;
  return { tracking_code, ...numbers };
}

async function cancel(
  dependencies: BookingDependencies,
  state: BookingState,
): Promise<BookResult<WireBooking>> {
  const isFirst = state.cancelled === null;
  if (isFirst) {
    if (state.no_void)
      throw new Refusal(409, "void_not_offered", "The carrier cancels nothing (sim:no_void).");
    const stage = stageOf(dependencies, state);
    if (stage === "picked_up")
      throw new Refusal(409, "picked_up", "The freight was picked up; the order stands.");
    const { tariff, states, journal } = dependencies;
    const { amount_cents, currency, cancellation_number, tracking_code } = await read(
      dependencies,
      state,
    );
    const { reference, booking_id } = state;
    const fee_cents = cancelFeeCents(tariff, stage, { amount_cents, currency });
    states.replay(
      await journal.append<CancelFacts>({
        carrier: tariff.carrier,
        operation: "ltl_cancel",
        reference,
        tracking_code,
        booking_id,
        cancellation_number,
        fee_cents,
        currency,
      }),
    );
  }
  return {
    value: await asWire(dependencies, state),
    drop_response: isFirst && state.drop_response,
  };
}

function stageOf({ itineraries }: BookingDependencies, state: BookingState): PickupStage {
  if (state.used || itineraries.isScanned(startOf(state))) return "picked_up";
  const stage = pickupStage(state.pickup, itineraries.now());
  return stage === "ahead" && state.charges_fee ? "on_the_day" : stage;
}

async function read(
  { journal }: BookingDependencies,
  { sequence }: BookingState,
): Promise<Entry & BookingFacts> {
  return (await journal.readOne(sequence)) as Entry & BookingFacts;
}

async function asWire(
  dependencies: BookingDependencies,
  state: BookingState,
): Promise<WireBooking> {
  const entry = await read(dependencies, state);
  const { booking_id, reference, confirmation_number, bol_number, amount_cents, currency } = entry;
  const { cancelled } = state;
  const hasPro =
    dependencies.tariff.pro_assigned_at === "booking" ||
    (!cancelled && stageOf(dependencies, state) === "picked_up");
  return {
    booking_id,
    reference,
    confirmation_number,
    bol_number,
    pro_number: hasPro ? entry.pro_number : null,
    amount_cents,
    currency,
    cancellation: cancelled && {
      cancellation_number: cancelled.cancellation_number,
      fee_cents: cancelled.fee_cents,
    },
  };
}

async function listed(
  dependencies: BookingDependencies,
  state: BookingState,
): Promise<WireListedBooking> {
  const { request, service_code, at } = await read(dependencies, state);
  const references = request.references ?? null;
  return { ...(await asWire(dependencies, state)), references, service_code, booked_at: at };
}
