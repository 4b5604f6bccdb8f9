import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Clock } from "../../../domain/time/clock.ts";
import { callerOf, commitDeadlineMs } from "../caller.ts";
import { steered, type ConnectionFaults } from "../connection-faults.ts";
import { steeringOf } from "../steering.ts";
import { SinceMoment } from "../wire.ts";
import type { PickupBook } from "./pickup-book.ts";
import { WirePickupCancelRequest, WirePickupRequest } from "./wire.ts";

const InCarrier = Type.Object({ carrier: Type.String() });
const InPickup = Type.Object({ carrier: Type.String(), pickup_id: Type.String() });
const ByReference = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) });

/**
 * A carrier's pickups. The hooks of the carriers' routes have authenticated the caller, and applied the
 * dials.
 */
export function pickupRoutes({
  bookOf,
  faults,
  clock,
}: {
  /** Throws a refusal for a carrier that does no pickups. */
  bookOf: (carrier: string) => PickupBook;
  faults: ConnectionFaults;
  clock: Clock;
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/carriers/:carrier/pickups",
      {
        config: { simulated_operation: "pickups" },
        schema: { params: InCarrier, body: WirePickupRequest },
      },
      async (request, reply) => {
        const { carrier } = request.params;
        const book = bookOf(carrier);
        if (await steered(steeringOf(request.body.address, carrier), faults, reply)) return reply;
        const { value, drop_response } = await book.schedule(request.body, {
          account: callerOf(request),
          tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
        });
        if (drop_response) return faults.dropResponse(reply);
        return reply.code(201).send({ data: value });
      },
    );

    app.get(
      "/carriers/:carrier/pickups",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: ByReference },
      },
      async ({ params, query }) => {
        const pickup = await bookOf(params.carrier).find(query.reference);
        return { data: pickup ? [pickup] : [] };
      },
    );

    app.get(
      "/carriers/:carrier/pickups/changes",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: SinceMoment },
      },
      async (request) => {
        const { since, cursor = "0" } = request.query;
        const { pickups, next_cursor } = await bookOf(request.params.carrier).list({
          environment: callerOf(request).environment,
          since: new Date(since),
          after: Number(cursor),
        });
        return { data: pickups, next_cursor };
      },
    );

    app.post(
      "/carriers/:carrier/pickups/:pickup_id/cancel",
      {
        config: { simulated_operation: "pickups" },
        schema: { params: InPickup, body: WirePickupCancelRequest },
      },
      async ({ params, body }, reply) => {
        const book = bookOf(params.carrier);
        const { value, drop_response } = await book.cancel(params.pickup_id, body.reference);
        return drop_response ? faults.dropResponse(reply) : { data: value };
      },
    );
  };
}
