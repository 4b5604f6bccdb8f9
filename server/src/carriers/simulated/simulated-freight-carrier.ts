import { Compile } from "typebox/compile";
import type { CallContext, Carrier, CarrierDescriptor } from "../carrier.ts";
import {
  WireBookingResponse,
  WireBookingListResponse,
  WireBookingsResponse,
  type WireBooking,
} from "../simulator/freight/wire.ts";
import { WireQuoteResponse } from "../simulator/wire.ts";
import {
  fromBookingResponse,
  fromBookingList,
  fromBookingLookup,
  fromCancelResponse,
  refundOf,
  toBookingRequest,
} from "./bookings.ts";
import { carrierClient, type CarrierClient } from "./client.ts";
import { connectionTest, simulatedCredentials } from "./connections.ts";
import { freightRates, toFreightQuoteRequest } from "./freight-quotes.ts";
import { fromQuoteResponse, quoteTimeoutMs } from "./quotes.ts";
import { simulatedTracking } from "./tracking.ts";

const quoteShape = Compile(WireQuoteResponse);
const bookingShape = Compile(WireBookingResponse);
const bookingsShape = Compile(WireBookingsResponse);
const listShape = Compile(WireBookingListResponse);

/** A freight carrier of the catalogue whose other end is the simulator: as `simulated-carrier.ts`, with trucks. */
export function simulatedFreightCarrier(
  descriptor: CarrierDescriptor,
  simulatorUrl: string,
): Carrier {
  const { code, name } = descriptor;
  const url = `${simulatorUrl}/carriers/${code}`;
  const client = carrierClient({ code, name, url: `${url}/freight` });
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;

  const find = finder(client, timeout_ms);

  return {
    descriptor: { credentials: simulatedCredentials, ...descriptor },
    // The account is the carrier's, and not its freight's alone.
    testConnection: connectionTest(carrierClient({ code, name, url }), { name, timeout_ms }),

    async quote(request, signal) {
      const { context, services } = request;
      const body = toFreightQuoteRequest(request, services);
      const { data } = await client.call(
        { method: "POST", path: "/quotes", body, context, signal, timeout_ms: quoteTimeoutMs },
        { shape: quoteShape },
      );
      return fromQuoteResponse(data, { services, currency: body.currency }, freightRates);
    },

    async buyLabel(request, signal) {
      const { context } = request;
      const body = toBookingRequest(request);
      const { data } = await client.call(
        { method: "POST", path: "/bookings", body, context, signal, timeout_ms },
        { shape: bookingShape, fits: ({ data }) => data.reference === body.reference },
      );
      return fromBookingResponse(data);
    },

    async lookUpLabel(sent, signal) {
      const booking = await find(sent, signal);
      return booking && fromBookingLookup(booking);
    },

    // Waybill draws the documents of a booking itself.
    fetchFiles: async () => [],

    async refundState(label, signal) {
      const booking = await find(label, signal);
      return booking ? refundOf(booking) : "none";
    },

    async listLabels({ environment, since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/bookings/changes?${query.toString()}`;
      // No account's in particular: the contract with the carrier is the platform's.
      const context = { environment, account_id: "platform", connection: null };
      const { data, next_cursor } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        { shape: listShape },
      );
      return {
        labels: data.flatMap(fromBookingList),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    track: simulatedTracking(client, descriptor),

    async voidLabel({ context, reference, carrier_label_id }, signal) {
      const path = `/bookings/${encodeURIComponent(carrier_label_id)}/cancel`;
      const { data } = await client.call(
        { method: "POST", path, body: { reference }, context, signal, timeout_ms },
        {
          shape: bookingShape,
          fits: ({ data }) => data.reference === reference && data.cancellation !== null,
        },
      );
      return fromCancelResponse(data);
    },
  };
}

/** The booking under a reference. */
function finder(client: CarrierClient, timeout_ms: number) {
  return async (
    { reference, context }: { reference: string; context: CallContext },
    signal: AbortSignal,
  ): Promise<WireBooking | null> => {
    const path = `/bookings?reference=${encodeURIComponent(reference)}`;
    const { data } = await client.call(
      { method: "GET", path, context, signal, timeout_ms },
      {
        shape: bookingsShape,
        fits: (answer) => answer.data.every((booking) => booking.reference === reference),
      },
    );
    return data[0] ?? null;
  };
}
