import type { FastifyError, FastifyInstance, FastifyPluginAsync } from "fastify";
import { steeringIn } from "../../protocol/steering-header.ts";
import { couriers } from "../../simulator/carriers/carriers.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { dialled, type Dialect, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { decimalOf } from "../../protocol/amount.ts";
import { xml } from "../../protocol/xml.ts";
import { rateMediaType } from "../rates.ts";
import { trackMediaType } from "../tracking.ts";
import { answer, documentIn, messages } from "./answers.ts";
import { extrasOf, fromMailingScenario } from "./consignment.ts";
import { priceQuote, trackingDetail } from "./documents.ts";
import { manifestRoutes } from "./manifest-routes.ts";
import { pickupRoutes } from "./pickup-routes.ts";
import { shipmentRoutes } from "./shipment-routes.ts";

const code = "canada_post";

/**
 * Canada Post's web services over the simulator's books: prices, shipments with and without a contract, returns,
 * manifests, pickups, post offices and tracking.
 */
export const canadaPostDialect: Dialect = {
  carrier: code,
  connection: {
    values: {
      customer_number: "2004381",
      contract_id: "42708517",
      contact_email: "shipping@example.com",
      contact_phone: "416-555-0100",
    },
    secrets: { username: "sandbox-user", password: "sandbox-password" },
  },
  routes,
};

function routes(simulated: SimulatedCarrierState): FastifyPluginAsync {
  return async (app) => {
    const { labels, faults, clock } = simulated;
    app.decorateRequest("arrived_at", 0);
    app.addHook("preHandler", async (request, reply) => {
      const operation = request.routeOptions.config.simulated_operation;
      if (operation && (await dialled(simulated, operation, reply))) return reply;
    });
    app.addContentTypeParser(
      /^application\/.*xml/,
      { parseAs: "buffer" },
      (_request, body, done) => {
        done(null, body);
      },
    );
    answerErrors(app);
    app.addHook("onRequest", async (request) => {
      const { headers } = request;
      request.arrived_at = clock.now().getTime();
      const credentials = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
      const [username, password] = Buffer.from(credentials, "base64").toString().split(":");
      if (!username || !password) throw new Refusal(401, "E002", "AAA Authentication Failure");
    });

    await app.register(shipmentRoutes(simulated));
    await app.register(manifestRoutes(simulated));
    await app.register(pickupRoutes(simulated));

    app.post(
      "/rs/ship/price",
      { config: { simulated_operation: "quotes" } },
      async (request, reply) => {
        const root = documentIn(request, "mailing-scenario");
        const words = steeringIn(request);
        const steering = steeringOf({ address2: words }, code);
        if (await steered(steering, faults, reply)) return reply;
        if (steering.throttle) throw new Refusal(429, "Server", "Rejected by SLM Monitor");
        const asked = fromMailingScenario(root, words);
        const quotes = steering.no_lane
          ? []
          : asked.service_codes.flatMap((service) => quoted(service, asked));
        return answer(reply, xml("price-quotes", quotes, { xmlns: rateNamespace }), rateMediaType);
      },
    );

    app.get<{ Params: { customer: string } }>("/rs/customer/:customer", async (request, reply) => {
      const number = xml("customer-number", request.params.customer.padStart(10, "0"));
      return answer(reply, xml("customer", [number]), "application/vnd.cpc.customer+xml");
    });

    app.get("/rs/postoffice", async (_request, reply) => {
      return answer(reply, xml("post-office-list", offices), "application/vnd.cpc.postoffice+xml");
    });

    app.get<{ Params: { pin: string } }>(
      "/vis/track/pin/:pin/detail",
      { config: { simulated_operation: "tracking" } },
      async ({ params }, reply) => {
        const tracking = await labels.track(params.pin);
        if (tracking) return answer(reply, trackingDetail(tracking), trackMediaType);
        throw new Refusal(404, "004", "No Pin History");
      },
    );
  };
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Refusal>((error, _request, reply) => {
    if (error instanceof Refusal) return messages(reply, error);
    return messages(reply, {
      status: error.statusCode ?? 500,
      code: "Server",
      message: error.message,
    });
  });
  app.setNotFoundHandler((_request, reply) => {
    return messages(reply, {
      status: 404,
      code: "Server",
      message: "There is nothing at this path.",
    });
  });
}

const rateNamespace = "http://www.canadapost.ca/ws/ship/rate-v4";

/** Nothing for a service that does not go there, or that lacks an option. */
function quoted(
  service_code: string,
  { consignment, options }: ReturnType<typeof fromMailingScenario>,
) {
  const priced = priceService(couriers.get(code)!.tariff, service_code, consignment);
  if ("unavailable" in priced) return [];
  const { rate } = priced;
  const extras = extrasOf(options).map(({ code: option, extra }) => ({
    option,
    price: rate.extras.find((each) => each.code === extra),
  }));
  if (extras.some(({ price }) => price === undefined)) return [];
  const amounts = [...rate.surcharges, ...extras.map(({ price }) => price!)];
  const due_cents = amounts.reduce((sum, { amount_cents }) => sum + amount_cents, rate.base_cents);
  const lines = extras.map(({ option, price }) =>
    xml("option", [
      xml("option-code", option),
      xml("option-name", option),
      xml("option-price", decimalOf(price!.amount_cents)),
    ]),
  );
  return [priceQuote(rate, { options: lines, due_cents })];
}

/** Two invented ones, wherever they are asked for. */
const offices = [
  ["0000100001", "Main Street Post Office", "1 Main St", "0.65"],
  ["0000100002", "Station Drug Mart", "25 Station Rd", "1.94"],
].map(([id = "", name = "", street = "", distance = ""]) =>
  xml("post-office", [
    xml("address", [
      xml("city", "OTTAWA"),
      xml("postal-code", "K1A0B1"),
      xml("province", "ON"),
      xml("office-address", street),
    ]),
    xml("distance", distance),
    xml("location", name),
    xml("name", name),
    xml("office-id", id),
    xml("bilingual-designation", true),
  ]),
);
