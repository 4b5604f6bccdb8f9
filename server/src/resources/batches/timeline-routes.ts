import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { batchTimeline } from "../../shipping/timeline/batch-timeline.ts";
import { Timeline, TimelineQuery } from "../../shipping/timeline/schemas.ts";

/** `/batches/{batch_id}/timeline` (ADR 27). */
export const batchTimelineRoutes: Routes = async (app) => {
  app.get(
    "/batches/:batch_id/timeline",
    {
      config: { scopes: ["batches:read"] },
      schema: {
        operationId: "getBatchTimeline",
        summary: "Show what happened to a batch, and why",
        description:
          "What concerns the batch itself, oldest first, and its labels and failures in sum; each shipment has a timeline of its own.",
        tags: ["Batches"],
        params: Type.Object({ batch_id: Type.String({ description: "The batch's id." }) }),
        querystring: Type.Object(TimelineQuery),
        response: { 200: Timeline },
      },
    },
    async ({ ctx, params: { batch_id }, query }) => batchTimeline(ctx, batch_id, query),
  );
};
