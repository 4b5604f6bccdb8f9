import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { requirePathTypeScope } from "../../shipping/shipments/type-scope.ts";
import { Timeline, TimelineQuery } from "../../shipping/timeline/schemas.ts";
import { shipmentTimeline } from "../../shipping/timeline/shipment-timeline.ts";

/** `/shipments/{shipment_id}/timeline` (ADR 27). */
export const shipmentTimelineRoutes: Routes = async (app) => {
  app.get(
    "/shipments/:shipment_id/timeline",
    {
      config: { scopes: ["shipments:read"], ltl_scopes: ["ltl:read"] },
      onRequest: requirePathTypeScope,
      schema: {
        operationId: "getShipmentTimeline",
        summary: "Show what happened to a shipment, and why",
        description:
          "Requests, rules, quotes, purchases, calls of carriers, money, events, their deliveries and scans, oldest first. Bodies of requests and calls are shown to tokens with `logs:read`.",
        tags: ["Shipments"],
        params: Type.Object({ shipment_id: Type.String({ description: "The shipment's id." }) }),
        querystring: Type.Object(TimelineQuery),
        response: { 200: Timeline },
      },
    },
    async ({ ctx, params: { shipment_id }, query }) => shipmentTimeline(ctx, shipment_id, query),
  );
};
