import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { processorCode, type ChargeBook } from "./charge-book.ts";
import type { DialBoard } from "../control/dials.ts";
import { disturbed, type ConnectionFaults } from "../connection-faults.ts";
import { SinceMoment, WireChargeRequest, WireRefundRequest } from "../wire.ts";

const ByReference = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) });

/** The API of the simulated card processor, as `providers/payments/simulated.ts` speaks it. */
export function paymentRoutes(world: {
  charges: ChargeBook;
  dials: DialBoard;
  faults: ConnectionFaults;
}): FastifyPluginAsyncTypebox {
  const { charges, faults } = world;
  return async (app) => {
    app.addHook("preHandler", async (_request, reply) => {
      const call = { carrier: processorCode, operation: "payments" } as const;
      if (await disturbed(world, call, reply)) return reply;
    });

    app.post(
      "/payments/charges",
      { schema: { body: WireChargeRequest } },
      async ({ body }, reply) => {
        const { charge, drop_response } = await charges.charge(body);
        if (drop_response) return faults.dropResponse(reply);
        return reply.code(201).send({ data: charge });
      },
    );

    app.get("/payments/charges", { schema: { querystring: ByReference } }, async ({ query }) => {
      const charge = await charges.find(query.reference);
      return { data: charge ? [charge] : [] };
    });

    app.get(
      "/payments/charges/list",
      { schema: { querystring: SinceMoment } },
      async ({ query }) => {
        const options = { since: new Date(query.since), after: Number(query.cursor ?? "0") };
        const { charges: data, next_cursor } = charges.list(options);
        return { data, next_cursor };
      },
    );

    app.get(
      "/payments/reversals/list",
      { schema: { querystring: SinceMoment } },
      async ({ query }) => {
        const options = { since: new Date(query.since), after: Number(query.cursor ?? "0") };
        const { reversals: data, next_cursor } = charges.listReversals(options);
        return { data, next_cursor };
      },
    );

    app.post(
      "/payments/disputes",
      { schema: { body: WireRefundRequest } },
      async ({ body }, reply) => reply.code(201).send({ data: await charges.dispute(body) }),
    );

    app.post(
      "/payments/refunds",
      { schema: { body: WireRefundRequest } },
      async ({ body }, reply) => reply.code(201).send({ data: await charges.refund(body) }),
    );
  };
}
