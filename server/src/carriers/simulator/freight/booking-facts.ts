import type { ItineraryKind } from "../itineraries/itinerary.ts";
import type { ItineraryStart } from "../itineraries/itineraries.ts";
import { fetchedAt, type PickupWindow } from "./cancelling.ts";
import type { WireBookingRequest } from "./wire.ts";

/** The facts of a booking: its journal entries, and what memory keeps of them. */

export interface BookingFacts {
  account_id: string;
  environment: string;
  booking_id: string;
  service_code: string;
  quote_number: string;
  confirmation_number: string;
  bol_number: string;
  /** The number that the freight will have, also where the client gets it only later. */
  pro_number: string;
  cancellation_number: string;
  amount_cents: number;
  currency: string;
  /** The next booking counts on from here. */
  serial: number;
  request: WireBookingRequest;
}

export interface CancelFacts {
  booking_id: string;
  cancellation_number: string;
  fee_cents: number;
  currency: string;
}

export interface BookingState {
  sequence: number;
  environment: string;
  /** When it was booked, or cancelled since. */
  changed_at: string;
  booked_at: string;
  booking_id: string;
  reference: string;
  pickup: PickupWindow;
  /** `sim:used_label`: the driver was early, whatever the clock says. */
  used: boolean;
  /** `sim:cancel_fee`: it is the day of the pickup, whatever the clock says. */
  charges_fee: boolean;
  itinerary_kind: ItineraryKind | null;
  drop_response: boolean;
  lag_seconds: number;
  no_void: boolean;
  cancelled: (CancelFacts & { at: string }) | null;
}

/** The facts that decide when it starts to move: not before the pickup. */
export function startOf({
  booked_at,
  cancelled,
  itinerary_kind,
  pickup,
}: BookingState): ItineraryStart {
  return {
    bought_at: booked_at,
    voided_at: cancelled?.at ?? null,
    itinerary_kind: itinerary_kind,
    fetched_at: fetchedAt(pickup),
    scans_after_void: false,
  };
}
