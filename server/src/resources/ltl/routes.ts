import { Type } from "typebox";
import { Nullable } from "../../domain/values/schema.ts";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { Cancelling } from "../../shipping/shipments/schemas.ts";
import { cancelBooking } from "./cancel-booking.ts";
import { CancelledBooking } from "./schemas.ts";

/** `/ltl` (spec 4.3, decision 9). Booking is `POST /labels/{shipment_id}`. */
export const ltlRoutes: Routes = async (app) => {
  app.post(
    "/ltl/:shipment_id/cancel",
    {
      config: {
        scopes: ["ltl:write"],
        limit: "carrier",
        errors: ["carrier_error"],
        examples: { "With a reason": { reason: "The customer cancelled." } },
      },
      schema: {
        operationId: "cancelBooking",
        summary: "Cancel an LTL booking with its carrier, and refund it",
        description:
          "Refunds the total less the carrier's fee at once. Cancelling twice answers the same again. Once the freight is picked up it is 409 `not_cancellable`.",
        tags: ["LTL"],
        params: Type.Object({ shipment_id: Type.String({ description: "The shipment's id." }) }),
        body: Nullable(Cancelling),
        response: {
          200: DataOf(CancelledBooking),
        },
      },
    },
    async ({ ctx, params: { shipment_id }, body }, reply) =>
      cancelBooking(ctx, shipment_id, body?.reason ?? null).then(send(reply)),
  );
};
