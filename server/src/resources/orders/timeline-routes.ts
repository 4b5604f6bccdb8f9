import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { orderTimeline } from "../../shipping/timeline/order-timeline.ts";
import { Timeline, TimelineQuery } from "../../shipping/timeline/schemas.ts";

/** `/orders/{order_id}/timeline` (ADR 27). */
export const orderTimelineRoutes: Routes = async (app) => {
  app.get(
    "/orders/:order_id/timeline",
    {
      config: { scopes: ["orders:read"] },
      schema: {
        operationId: "getOrderTimeline",
        summary: "Show what happened to an order, and why",
        description:
          "What concerns the order itself, and what its shipments became, each with a link to its own timeline. Oldest first.",
        tags: ["Orders"],
        params: Type.Object({ order_id: Type.String({ description: "The order's id." }) }),
        querystring: Type.Object(TimelineQuery),
        response: { 200: Timeline },
      },
    },
    async ({ ctx, params: { order_id }, query }) => orderTimeline(ctx, order_id, query),
  );
};
