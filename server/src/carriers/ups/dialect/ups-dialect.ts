import { dialled, type Dialect } from "../../simulator/dialect.ts";
import { labelRoutes } from "./labels.ts";
import { openPickupRoutes, pickupRoutes } from "./pickups.ts";
import { locationRoutes } from "./locations.ts";
import { ratingRoutes } from "./rating.ts";
import { answerError, UpsRefusal } from "./refusals.ts";
import { shippingRoutes } from "./shipping.ts";
import { issuedTokens } from "./tokens.ts";
import { trackingRoutes } from "./visibility.ts";

/** UPS's REST API over the simulator's books. */
export const upsDialect: Dialect = {
  carrier: "ups",
  connection: {
    values: { account_number: "A1B2C3", account_country: "CA" },
    secrets: { client_id: "sandbox-client", client_secret: "sandbox-secret" },
  },
  routes: (simulated) => async (app) => {
    const tokens = issuedTokens(simulated);
    app.setErrorHandler(answerError);
    app.setNotFoundHandler(() => {
      throw new UpsRefusal(404, "404", "Invalid resource path");
    });
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, done) => done(null, body),
    );
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
    app.post("/security/v1/oauth/token", async (request) => tokens.issue(request));
    await app.register(ratingRoutes(simulated));
    await app.register(shippingRoutes(simulated, tokens));
    await app.register(labelRoutes(simulated));
    await app.register(trackingRoutes(simulated));
    await app.register(pickupRoutes(simulated));
    await app.register(openPickupRoutes(simulated));
    await app.register(locationRoutes());
  },
};
