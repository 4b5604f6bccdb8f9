import type {
  CarrierLabel,
  CarrierRefund,
  CarrierVoid,
  LabelRequest,
  ListedLabel,
  Sighting,
} from "../carrier.ts";
import type {
  WireBooking,
  WireBookingRequest,
  WireListedBooking,
} from "../simulator/freight/wire.ts";
import { freightOf, toFreightConsignment } from "./freight-quotes.ts";

/**
 * Bookings of freight: the domain request in the simulator's format, and its responses in the domain's.
 * No I/O.
 */

/** Throws for a booking without its quote: a programming error. */
export function toBookingRequest(request: LabelRequest): WireBookingRequest {
  const { shipment, quote_number } = request;
  if (quote_number === undefined) throw new Error("freight is booked by its quote number");
  const { pickup, delivery } = freightOf(shipment);
  return {
    ...toFreightConsignment(shipment),
    reference: request.reference,
    references: request.references,
    service_code: request.service.carrier_service_code,
    quote_number,
    expected_cost: request.expected_cost,
    pickup: toWireStop(pickup),
    delivery: toWireStop(delivery),
    ship_code: request.ship_code,
    customer_reference: shipment.reference,
    customs_lines: [...shipment.items],
  };
}

function toWireStop({
  ready_time,
  close_time,
  contact,
  instructions,
}: WireBookingRequest["pickup"]): WireBookingRequest["pickup"] {
  return { ready_time, close_time, contact, instructions };
}

export function fromBookingResponse(booking: WireBooking): CarrierLabel {
  const { confirmation_number, bol_number, pro_number } = booking;
  return {
    carrier_label_id: booking.booking_id,
    tracking_code: pro_number ?? confirmation_number,
    package_tracking_codes: [],
    cost: { amount_cents: booking.amount_cents, currency: booking.currency },
    files: [],
    carrier_data: null,
    booking: { confirmation_number, bol_number, pro_number },
  };
}

export function fromBookingLookup(booking: WireBooking): Sighting {
  const { cancellation } = after(booking);
  return {
    ...fromBookingResponse(booking),
    files: [],
    state: cancellation ? "voided" : "live",
    ...(cancellation && { cancellation }),
  };
}

export function refundOf(booking: WireBooking): CarrierRefund {
  return after(booking).refund;
}

export function fromCancelResponse(booking: WireBooking): CarrierVoid {
  return after(booking);
}

/** Nothing for a booking without Waybill's references. */
export function fromBookingList(booking: WireListedBooking): ListedLabel[] {
  if (!booking.references) return [];
  const { tracking_code } = fromBookingResponse(booking);
  return [
    {
      reference: booking.reference,
      references: booking.references,
      carrier_label_id: booking.booking_id,
      tracking_code,
      carrier_service_code: booking.service_code,
      add_ons: [],
      label_format: "pdf",
      cost: { amount_cents: booking.amount_cents, currency: booking.currency },
      voided: booking.cancellation !== null,
      refund: after(booking).refund,
      bought_at: new Date(booking.booked_at),
    },
  ];
}

/** After a cancellation the carrier keeps its fee and charges no more: the rest is refunded at once. */
function after({ cancellation }: WireBooking): CarrierVoid {
  if (!cancellation) return { refund: "none" };
  const { cancellation_number: carrier_confirmation, fee_cents } = cancellation;
  return { refund: "approved", cancellation: { carrier_confirmation, fee_cents } };
}
