import type { FastifyPluginAsync } from "fastify";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { hasPassed } from "../../simulator/label-facts.ts";
import { invalid, notVoidable, succeeded, UpsRefusal } from "./refusals.ts";
import { imageOf, type ImageFormat } from "./shipping.ts";
import { shapes } from "./wire.ts";

/** UPS's voids, and its labels that are had again. */
export function labelRoutes(simulated: SimulatedCarrierState): FastifyPluginAsync {
  const { labels, faults, clock } = simulated;
  return async (app) => {
    app.delete(
      "/api/shipments/:version/void/cancel/:id",
      { config: { simulated_operation: "voids" } },
      async ({ params }, reply) => {
        const { id } = params as { id: string };
        const booked = await labels.peek({ tracking_code: id });
        const { state } = booked ?? {};
        if (!state || state.tracking_code !== id || state.voided) throw notVoidable();
        if (state.ways.no_void) throw notVoidable();
        const { reference, tracking_code } = state;
        const { drop_response } = await labels.void(state.label_id, { reference, tracking_code });
        if (drop_response) return faults.dropResponse(reply);
        const done = { Code: "1", Description: "Voided" };
        return { VoidShipmentResponse: { Response: succeeded, SummaryResult: { Status: done } } };
      },
    );

    app.post(
      "/api/labels/:version/recovery",
      { config: { simulated_operation: "look_ups" } },
      async ({ body }) => {
        if (!shapes.recovery.Check(body)) throw invalid("LabelRecoveryRequest");
        const { TrackingNumber, LabelSpecification } = body.LabelRecoveryRequest;
        const booked = await labels.peek({ tracking_code: TrackingNumber });
        const { state } = booked ?? {};
        const isVoid = state?.voided?.effective ?? false;
        const isThere =
          state && !isVoid && hasPassed(state.ways.late_file_seconds, state, clock.now());
        if (!booked || !isThere) {
          throw new UpsRefusal(400, "300022", "No Label found for the tracking number.");
        }
        const { Code } = LabelSpecification.LabelImageFormat;
        const index = booked.facts.package_tracking_codes.indexOf(TrackingNumber);
        const image = await imageOf(simulated, booked.facts, {
          index,
          format: Code as ImageFormat,
        });
        return {
          LabelRecoveryResponse: {
            Response: succeeded,
            ShipmentIdentificationNumber: booked.state.tracking_code,
            LabelResults: {
              TrackingNumber,
              LabelImage: { LabelImageFormat: { Code }, GraphicImage: image },
            },
          },
        };
      },
    );
  };
}
