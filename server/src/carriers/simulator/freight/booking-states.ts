import type { Entry } from "../journal.ts";
import { steeringOf } from "../steering.ts";
import type { BookingFacts, BookingState, CancelFacts } from "./booking-facts.ts";

/** What memory keeps of one carrier's bookings. All of it comes from the journal, entry by entry. */
export interface BookingStates {
  all(): Iterable<BookingState>;
  byReference(reference: string): BookingState | undefined;
  byId(bookingId: string): BookingState | undefined;
  /** By its PRO or its confirmation number. */
  byCode(code: string): BookingState | undefined;
  /** For the next booking; never issued twice, not even for one that fails. */
  nextSerial(): number;
  replay(entry: Entry): void;
}

export function bookingStates(): BookingStates {
  const byReference = new Map<string, BookingState>();
  const byId = new Map<string, BookingState>();
  const byCode = new Map<string, BookingState>();
  let lastSerial = 0;

  function booked(entry: Entry & BookingFacts): void {
    const state = stateFrom(entry);
    byReference.set(state.reference, state);
    byId.set(state.booking_id, state);
    for (const code of [entry.confirmation_number, entry.pro_number]) byCode.set(code, state);
    lastSerial = Math.max(lastSerial, entry.serial);
  }

  function cancelled({ at, ...entry }: Entry & CancelFacts): void {
    const { booking_id, cancellation_number, fee_cents, currency } = entry;
    const state = byId.get(booking_id)!;
    state.cancelled = { booking_id, cancellation_number, fee_cents, currency, at };
    state.changed_at = at;
  }

  return {
    all: () => byReference.values(),
    byReference: (reference) => byReference.get(reference),
    byId: (bookingId) => byId.get(bookingId),
    byCode: (code) => byCode.get(code),
    nextSerial: () => (lastSerial += 1),
    replay(entry) {
      if (entry.operation === "ltl_booking") booked(entry as Entry & BookingFacts);
      if (entry.operation === "ltl_cancel") cancelled(entry as Entry & CancelFacts);
    },
  };
}

/** A booking from its journal entry, before any cancellation. */
function stateFrom(entry: Entry & BookingFacts): BookingState {
  const { sender, recipient, pickup_date, pickup } = entry.request;
  const steering = steeringOf(recipient, entry.carrier);
  const { used_label, cancel_fee, track, lost_answer, lag_seconds, no_void } = steering;
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
    itinerary_kind: track,
    drop_response: lost_answer,
    lag_seconds,
    no_void,
    cancelled: null,
  };
}
