import type { FastifyPluginAsync } from "fastify";
import { steered } from "../../simulator/connection-faults.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { costOf, priceService } from "../../simulator/pricing/price.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { ratedShipment } from "./answers.ts";
import { readAddress, readConsignment, readExtras } from "./read-shipment.ts";
import { invalid, oneOrMany, succeeded, throttled, UpsRefusal } from "./refusals.ts";
import { shapes } from "./wire.ts";

/** UPS's prices. */
export function ratingRoutes({ tariff, faults }: SimulatedCarrierState): FastifyPluginAsync {
  return async (app) => {
    app.post(
      "/api/rating/:version/:option",
      { config: { simulated_operation: "quotes" } },
      async ({ body }, reply) => {
        if (!shapes.rate.Check(body)) throw invalid("RateRequest");
        const { Shipment } = body.RateRequest;
        const steering = steeringOf(readAddress(Shipment.ShipTo), "ups");
        if (steering.throttle) throw throttled();
        if (await steered(steering, faults, reply)) return reply;
        const consignment = readConsignment(Shipment, Shipment.DeliveryTimeInformation.Pickup.Date);
        const extras = readExtras(Shipment);
        const negotiated =
          Shipment.ShipmentRatingOptions?.NegotiatedRatesIndicator !== undefined &&
          !steering.published;
        const rated = tariff.services.flatMap(({ code }) => {
          const priced = steering.no_lane ? null : priceService(tariff, code, consignment);
          if (!priced || !("rate" in priced)) return [];
          const total_cents = costOf(priced.rate, extras);
          return total_cents === null
            ? []
            : [ratedShipment({ rate: priced.rate, total_cents }, negotiated)];
        });
        if (rated.length === 0) {
          const message = "The requested service is unavailable between the selected locations.";
          throw new UpsRefusal(400, "111210", message);
        }
        return { RateResponse: { Response: succeeded, RatedShipment: oneOrMany(rated) } };
      },
    );
  };
}
