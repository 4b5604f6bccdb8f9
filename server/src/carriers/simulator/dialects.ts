import type { FastifyPluginAsync } from "fastify";
import type { Clock } from "../../domain/time/clock.ts";
import { canadaPostDialect } from "../canada-post/dialect/routes.ts";
import { disturbed, type ConnectionFaults } from "./connection-faults.ts";
import type { DialBoard } from "./control/dials.ts";
import type { SimulatedCarrier } from "./routes.ts";

/**
 * Carriers in their own wire formats, over the same books as `routes.ts`: the other end of the adapters that
 * call real carriers. Each is in its carrier's folder, below `/dialects/<code>`.
 */
export interface DialectWorld {
  carrier: SimulatedCarrier;
  faults: ConnectionFaults;
  clock: Clock;
}

export type Dialect = (world: DialectWorld) => FastifyPluginAsync;

const dialects: Readonly<Record<string, Dialect>> = {
  canada_post: canadaPostDialect,
};

export function dialectRoutes(world: {
  carriers: ReadonlyMap<string, SimulatedCarrier>;
  dials: DialBoard;
  faults: ConnectionFaults;
  clock: Clock;
}): FastifyPluginAsync {
  const { carriers, faults, clock } = world;
  return async (app) => {
    for (const [code, dialect] of Object.entries(dialects)) {
      const carrier = carriers.get(code)!;
      await app.register(
        async (own) => {
          own.decorateRequest("arrived_at", 0);
          own.addHook("onRequest", async (request) => {
            request.arrived_at = clock.now().getTime();
          });
          own.addHook("preHandler", async (request, reply) => {
            const operation = request.routeOptions.config.simulated_operation;
            if (!operation) return;
            if (await disturbed(world, { carrier: code, operation }, reply)) return reply;
          });
          await own.register(dialect({ carrier, faults, clock }));
        },
        { prefix: `/dialects/${code}` },
      );
    }
  };
}
