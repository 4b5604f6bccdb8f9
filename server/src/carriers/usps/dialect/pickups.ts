import { createHash, randomUUID } from "node:crypto";
import type { FastifyPluginAsync } from "fastify";
import type { Address } from "../../../domain/addresses/address.ts";
import { toGrams } from "../../../domain/goods/units.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { anyPrice, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import type { WirePickupRequest } from "../../simulator/pickups/wire.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { placeOf } from "./read-label.ts";
import { invalid, UspsRefusal } from "./refusals.ts";
import { shapes, type WirePickup } from "./wire.ts";

/** USPS's pickups: each has a state (ETag), which a change of it has to name. */
export function pickupRoutes({
  pickups,
  faults,
  clock,
}: SimulatedCarrierState): FastifyPluginAsync {
  return async (app) => {
    const config = { simulated_operation: "pickups" } as const;
    app.post("/pickup/v3/carrier-pickup", { config }, async (request, reply) => {
      if (!shapes.pickup.Check(request.body)) throw invalid("the pickup");
      const asked = readPickup(request.body);
      if (await steered(steeringOf(asked.address, "usps"), faults, reply)) return reply;
      const { value, drop_response } = await pickups.schedule(asked, {
        account: { account_id: "usps", environment: "test" },
        tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
      });
      if (drop_response) return faults.dropResponse(reply);
      const { confirmation_number: confirmationNumber, date: pickupDate } = value;
      void reply.header("etag", etagOf(confirmationNumber));
      return { confirmationNumber, pickupDate, carrierPickupRequest: request.body };
    });

    app.get("/pickup/v3/carrier-pickup/:number", { config }, async ({ params }, reply) => {
      const { number } = params as { number: string };
      const pickup = await pickups.byNumber(number);
      if (!pickup) throw new UspsRefusal(404, "There is no such pickup.");
      void reply.header("etag", etagOf(number));
      return { confirmationNumber: number, pickupDate: pickup.date };
    });

    app.delete("/pickup/v3/carrier-pickup/:number", { config }, async (request, reply) => {
      const { number } = request.params as { number: string };
      const pickup = await pickups.byNumber(number);
      if (!pickup) throw new UspsRefusal(400, "There is no such pickup.");
      if (request.headers["if-match"] !== etagOf(number)) {
        throw new UspsRefusal(412, "The pickup has changed meanwhile.");
      }
      if (pickup.cancelled) throw new UspsRefusal(400, "The pickup was already canceled.");
      const { drop_response } = await pickups.cancel(pickup.pickup_id, pickup.reference);
      return drop_response ? faults.dropResponse(reply) : reply.code(200).send();
    });
  };
}

function etagOf(confirmation: string): string {
  return `"${createHash("sha256").update(confirmation).digest("hex").slice(0, 16)}"`;
}

/** USPS is given no reference: the simulator makes one of its own. */
function readPickup({
  pickupAddress,
  pickupDate,
  packages,
  estimatedWeight,
}: WirePickup): WirePickupRequest {
  const { firstName, lastName, firm, address } = pickupAddress;
  const place: Address = placeOf({
    name: `${firstName} ${lastName}`,
    company: firm ?? null,
    address1: address.streetAddress,
    address2: address.secondaryAddress ?? null,
    city: address.city,
    province_code: address.state,
    postal_code: address.ZIPCode,
  });
  return {
    reference: `usps-${randomUUID()}`,
    address: place,
    contact: { name: place.name, phone: null, email: null },
    date: pickupDate,
    ready_time: "08:00",
    close_time: "18:00",
    instructions: null,
    tracking_codes: ["usps"],
    package_count: packages.reduce((sum, { packageCount }) => sum + packageCount, 0),
    weight_grams: toGrams(estimatedWeight, "lbs"),
    expected_fee: { amount_cents: anyPrice, currency: "USD" },
  };
}
