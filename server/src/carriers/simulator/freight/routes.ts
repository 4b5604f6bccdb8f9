import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Clock } from "../../../domain/time/clock.ts";
import { callerOf, commitDeadlineMs } from "../caller.ts";
import { steered, type ConnectionFaults } from "../connection-faults.ts";
import type { PurchaseFaults } from "../purchase-faults.ts";
import { laneRefused, steeringOf } from "../steering.ts";
import { SinceMoment, type WireUnavailable } from "../wire.ts";
import type { BookingBook } from "./booking-book.ts";
import { quoteNumber } from "./quote-numbers.ts";
import { priceFreight } from "./rating/price-freight.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";
import {
  WireBookingRequest,
  WireCancelRequest,
  WireFreightQuoteRequest,
  type WireFreightRate,
} from "./wire.ts";

export interface SimulatedFreightCarrier {
  tariff: FreightTariff;
  bookings: BookingBook;
}

const InCarrier = Type.Object({ carrier: Type.String() });
const InBooking = Type.Object({ carrier: Type.String(), booking_id: Type.String() });
const ByCode = Type.Object({ tracking_code: Type.String({ minLength: 1, maxLength: 100 }) });
const ByReference = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) });

/**
 * The freight carriers' API. The hooks of the carriers' routes have authenticated the caller, and applied
 * the dials.
 */
export function freightRoutes(world: {
  /** Throws a refusal for a carrier that has no trucks. */
  carrierOf: (carrier: string) => SimulatedFreightCarrier;
  /** The journal's. */
  seed: string;
  faults: ConnectionFaults;
  purchases: PurchaseFaults;
  clock: Clock;
}): FastifyPluginAsyncTypebox {
  const { carrierOf, seed, faults, purchases, clock } = world;
  return async (app) => {
    app.post(
      "/carriers/:carrier/freight/quotes",
      {
        config: { simulated_operation: "quotes" },
        schema: { params: InCarrier, body: WireFreightQuoteRequest },
      },
      async ({ params: { carrier }, body }, reply) => {
        const { tariff } = carrierOf(carrier);
        const steering = steeringOf(body.recipient, carrier);
        if (await steered(steering, faults, reply)) return reply;
        const rates: WireFreightRate[] = [];
        const unavailable: WireUnavailable[] = [];
        for (const code of body.service_codes) {
          const priced = steering.no_lane ? laneRefused(code) : priceFreight(tariff, code, body);
          if ("unavailable" in priced) unavailable.push(priced.unavailable);
          else {
            const { rate } = priced;
            const quoted = { carrier, seed, rate, consignment: body };
            rates.push({ ...rate, quote_number: quoteNumber(quoted, clock.now()) });
          }
        }
        return { data: { rates, unavailable } };
      },
    );

    app.post(
      "/carriers/:carrier/freight/bookings",
      {
        config: { simulated_operation: "purchases" },
        schema: { params: InCarrier, body: WireBookingRequest },
      },
      async (request, reply) => {
        const { carrier } = request.params;
        const { bookings } = carrierOf(carrier);
        const steering = steeringOf(request.body.recipient, carrier);
        purchases.before(steering, request.body.reference);
        const booked = await bookings.book(request.body, {
          account: callerOf(request),
          tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
        });
        return purchases.after(reply, steering, booked);
      },
    );

    app.get(
      "/carriers/:carrier/freight/bookings",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: ByReference },
      },
      async ({ params, query }) => {
        const booking = await carrierOf(params.carrier).bookings.find(query.reference);
        return { data: booking ? [booking] : [] };
      },
    );

    app.get(
      "/carriers/:carrier/freight/bookings/changes",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: SinceMoment },
      },
      async (request) => {
        const { since, cursor = "0" } = request.query;
        const { bookings, next_cursor } = await carrierOf(request.params.carrier).bookings.list({
          environment: callerOf(request).environment,
          since: new Date(since),
          after: Number(cursor),
        });
        return { data: bookings, next_cursor };
      },
    );

    app.get(
      "/carriers/:carrier/freight/tracking",
      {
        config: { simulated_operation: "tracking" },
        schema: { params: InCarrier, querystring: ByCode },
      },
      async ({ params, query }) => {
        const tracking = await carrierOf(params.carrier).bookings.track(query.tracking_code);
        return { data: tracking ? [tracking] : [] };
      },
    );

    app.post(
      "/carriers/:carrier/freight/bookings/:booking_id/cancel",
      {
        config: { simulated_operation: "voids" },
        schema: { params: InBooking, body: WireCancelRequest },
      },
      async ({ params, body }, reply) => {
        const { bookings } = carrierOf(params.carrier);
        const { value, drop_response } = await bookings.cancel(params.booking_id, body.reference);
        return drop_response ? faults.dropResponse(reply) : { data: value };
      },
    );
  };
}
