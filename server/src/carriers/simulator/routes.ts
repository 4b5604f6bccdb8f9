import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Clock } from "../../domain/time/clock.ts";
import { callerOf, commitDeadlineMs } from "./caller.ts";
import { disturbed, steered, type ConnectionFaults } from "./connection-faults.ts";
import type { DialBoard, SimulatedOperation } from "./control/dials.ts";
import { freightRoutes, type SimulatedFreightCarrier } from "./freight/routes.ts";
import type { LabelBook } from "./label-book.ts";
import type { ManifestBook } from "./manifest-book.ts";
import { manifestRoutes } from "./manifest-routes.ts";
import type { PickupBook } from "./pickups/pickup-book.ts";
import { pickupRoutes } from "./pickups/routes.ts";
import { priceService, type Priced } from "./pricing/price.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import { purchaseFaults } from "./purchase-faults.ts";
import { Refusal } from "./refusal.ts";
import { laneRefused, steeringOf } from "./steering.ts";
import {
  SinceMoment,
  WireLabelRequest,
  WireQuoteRequest,
  WireVoidRequest,
  type WireRate,
  type WireUnavailable,
} from "./wire.ts";

export interface SimulatedCarrier {
  tariff: CarrierTariff;
  labels: LabelBook;
  pickups: PickupBook;
  manifests: ManifestBook;
}

declare module "fastify" {
  interface FastifyRequest {
    /** In milliseconds, before anything of the body was read. */
    arrived_at: number;
  }
  interface FastifyContextConfig {
    /** Which dials act on this route. */
    simulated_operation?: SimulatedOperation;
  }
}

const InCarrier = Type.Object({ carrier: Type.String() });
const InLabel = Type.Object({ carrier: Type.String(), label_id: Type.String() });
const ByCode = Type.Object({ tracking_code: Type.String({ minLength: 1, maxLength: 100 }) });
const ByReference = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) });

/** The API of the carriers, of parcels and of freight, for `carriers/simulated/`. */
export function carrierRoutes(world: {
  carriers: ReadonlyMap<string, SimulatedCarrier>;
  freight: ReadonlyMap<string, SimulatedFreightCarrier>;
  seed: string;
  dials: DialBoard;
  faults: ConnectionFaults;
  clock: Clock;
}): FastifyPluginAsyncTypebox {
  const { carriers, freight, seed, faults, clock } = world;
  const purchases = purchaseFaults(faults);
  const carrierOf = (code: string) => known(carriers.get(code));

  return async (app) => {
    app.decorateRequest("arrived_at", 0);
    app.addHook("onRequest", async (request) => {
      request.arrived_at = clock.now().getTime();
      const { carrier } = request.params as { carrier: string };
      known(carriers.get(carrier) ?? freight.get(carrier));
      callerOf(request);
    });
    app.addHook("preHandler", async (request, reply) => {
      const { carrier } = request.params as { carrier: string };
      const operation = request.routeOptions.config.simulated_operation!;
      if (await disturbed(world, { carrier, operation }, reply)) return reply;
    });

    await app.register(pickupRoutes({ bookOf: (code) => carrierOf(code).pickups, faults, clock }));
    await app.register(manifestRoutes({ carrierOf, faults, clock }));
    const freightCarrier = (code: string) => known(freight.get(code));
    await app.register(
      freightRoutes({ carrierOf: freightCarrier, seed, faults, purchases, clock }),
    );

    app.get(
      "/carriers/:carrier/account",
      { config: { simulated_operation: "look_ups" }, schema: { params: InCarrier } },
      async (request) => ({ data: { caller: callerOf(request).account_id } }),
    );

    app.post(
      "/carriers/:carrier/quotes",
      {
        config: { simulated_operation: "quotes" },
        schema: { params: InCarrier, body: WireQuoteRequest },
      },
      async ({ params, body }, reply) => {
        const { tariff } = carrierOf(params.carrier);
        const steering = steeringOf(body.recipient, params.carrier);
        if (await steered(steering, faults, reply)) return reply;
        const priced = body.service_codes.map((code) =>
          steering.no_lane ? laneRefused(code) : priceService(tariff, code, body),
        );
        return { data: sorted(priced) };
      },
    );

    app.post(
      "/carriers/:carrier/labels",
      {
        config: { simulated_operation: "purchases" },
        schema: { params: InCarrier, body: WireLabelRequest },
      },
      async (request, reply) => {
        const { carrier } = request.params;
        const { labels } = carrierOf(carrier);
        const steering = steeringOf(request.body.recipient, carrier);
        purchases.before(steering, request.body.reference);
        const sold = await labels.buy(request.body, {
          account: callerOf(request),
          tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
        });
        return purchases.after(reply, steering, { ...sold, value: await labels.show(sold.value) });
      },
    );

    app.get(
      "/carriers/:carrier/labels",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: ByReference },
      },
      async ({ params, query }) => {
        const { labels } = carrierOf(params.carrier);
        const label = await labels.find(query.reference);
        return { data: label ? [await labels.show(label)] : [] };
      },
    );

    app.get(
      "/carriers/:carrier/labels/:label_id",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InLabel },
      },
      async ({ params }) => {
        const { labels } = carrierOf(params.carrier);
        const label = await labels.peek({ label_id: params.label_id });
        return { data: label ? [await labels.show(label)] : [] };
      },
    );

    app.get(
      "/carriers/:carrier/labels/changes",
      {
        config: { simulated_operation: "look_ups" },
        schema: { params: InCarrier, querystring: SinceMoment },
      },
      async (request) => {
        const { since, cursor = "0" } = request.query;
        const { labels, next_cursor } = await carrierOf(request.params.carrier).labels.list({
          environment: callerOf(request).environment,
          since: new Date(since),
          after: Number(cursor),
        });
        return { data: labels, next_cursor };
      },
    );

    app.get(
      "/carriers/:carrier/tracking",
      {
        config: { simulated_operation: "tracking" },
        schema: { params: InCarrier, querystring: ByCode },
      },
      async ({ params, query }) => {
        const tracking = await carrierOf(params.carrier).labels.track(query.tracking_code);
        return { data: tracking ? [tracking] : [] };
      },
    );

    app.post(
      "/carriers/:carrier/labels/:label_id/void",
      {
        config: { simulated_operation: "voids" },
        schema: { params: InLabel, body: WireVoidRequest },
      },
      async ({ params, body }, reply) => {
        const { labels } = carrierOf(params.carrier);
        const { value, drop_response } = await labels.void(params.label_id, body);
        return drop_response ? faults.dropResponse(reply) : { data: value };
      },
    );
  };
}

/** Refuses an unknown carrier, and one of the other mode. */
function known<Carrier>(carrier: Carrier | undefined): Carrier {
  if (!carrier) throw new Refusal(404, "carrier_unknown", "There is no such carrier.");
  return carrier;
}

function sorted(priced: readonly Priced[]): { rates: WireRate[]; unavailable: WireUnavailable[] } {
  return {
    rates: priced.flatMap((one) => ("rate" in one ? [one.rate] : [])),
    unavailable: priced.flatMap((one) => ("unavailable" in one ? [one.unavailable] : [])),
  };
}
