import { dialled, type Dialect } from "../../simulator/dialect.ts";
import { labelRoutes, reprintRoutes } from "./labels.ts";
import { optionRoutes } from "./options.ts";
import { otherRoutes } from "./others.ts";
import { pickupRoutes } from "./pickups.ts";
import { answerError, UspsRefusal } from "./refusals.ts";
import { issuedTokens } from "./tokens.ts";

/** USPS's REST API over the simulator's books. */
export const uspsDialect: Dialect = {
  carrier: "usps",
  connection: {
    values: { crid: "12345678", mid: "123456789", account_number: "1234567890" },
    secrets: { client_id: "sandbox-client", client_secret: "sandbox-secret" },
  },
  routes: (simulated) => async (app) => {
    const tokens = issuedTokens(simulated);
    app.setErrorHandler(answerError);
    app.setNotFoundHandler(() => {
      throw new UspsRefusal(404, "There is nothing at this path.");
    });
    app.decorateRequest("arrived_at", 0);
    app.addHook("onRequest", async (request) => {
      request.arrived_at = simulated.clock.now().getTime();
    });
    app.addHook("preHandler", async (request, reply) => {
      const { simulated_operation } = request.routeOptions.config;
      if (simulated_operation === undefined) return;
      tokens.check(request);
      if (await dialled(simulated, simulated_operation, reply)) return reply;
    });
    app.post("/oauth2/v3/token", async (request) => tokens.issue(request));
    app.post("/payments/v3/payment-authorization", async (request) => {
      tokens.check(request);
      return tokens.authorizePayment(request);
    });
    await app.register(optionRoutes(simulated));
    await app.register(labelRoutes(simulated, tokens));
    await app.register(reprintRoutes(simulated, tokens));
    await app.register(pickupRoutes(simulated));
    await app.register(otherRoutes(simulated));
  },
};
