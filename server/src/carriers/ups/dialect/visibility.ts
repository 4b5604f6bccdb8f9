import type { FastifyPluginAsync } from "fastify";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { withUse } from "../../simulator/events-of-use.ts";
import { hasPassed, type LabelState } from "../../simulator/label-facts.ts";
import { trackedPackage } from "./answers.ts";
import { UpsRefusal } from "./refusals.ts";

/** UPS's tracking by number, and by reference, which lags behind purchases. */
export function trackingRoutes(simulated: SimulatedCarrierState): FastifyPluginAsync {
  const { labels, clock } = simulated;
  const tracked = async (code: string, state: Readonly<LabelState>) => {
    const tracking = withUse((await labels.track(code))!, state, eventsOfUse);
    return { inquiryNumber: code, package: [trackedPackage(tracking, state.reference)] };
  };
  return async (app) => {
    app.get(
      "/api/track/v1/details/:number",
      { config: { simulated_operation: "tracking" } },
      async ({ params }) => {
        const { number } = params as { number: string };
        if (!/^\w{7,34}$/.test(number))
          throw new UpsRefusal(400, "TV1002", "Invalid inquiry number");
        const booked = await labels.peek({ tracking_code: number });
        if (!booked) return notFound(number);
        return { trackResponse: { shipment: [await tracked(number, booked.state)] } };
      },
    );

    app.get(
      "/api/track/v1/reference/details/:reference",
      { config: { simulated_operation: "look_ups" } },
      async ({ params, query }) => {
        const { reference } = params as { reference: string };
        const { shipperNum } = query as { shipperNum?: string };
        const booked = await labels.peek({ reference });
        if (!booked || booked.facts.account_id !== shipperNum) return notFound(reference);
        const { ways } = booked.state;
        if (!hasPassed(ways.lag_seconds, booked.state, clock.now())) return notFound(reference);
        const codes = booked.facts.package_tracking_codes;
        const shipment = await Promise.all(codes.map((code) => tracked(code, booked.state)));
        return { trackResponse: { shipment } };
      },
    );
  };
}

/** The void, and then the data of a parcel that is billed all the same. */
const eventsOfUse = [
  { code: "007", text: "Shipment information voided" },
  { code: "003", text: "Shipper created a label, UPS has not received the package yet." },
];

/** UPS answers a number that it does not know with success and a warning. */
function notFound(inquiryNumber: string): object {
  const warnings = [{ code: "TW0001", message: "Tracking Information Not Found" }];
  return { trackResponse: { shipment: [{ inquiryNumber, warnings }] } };
}
