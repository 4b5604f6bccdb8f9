import { Type } from "typebox";
import type { Routes } from "../../http/routes.ts";
import { requestTimeline } from "../../shipping/timeline/request-timeline.ts";
import { Timeline, TimelineQuery } from "../../shipping/timeline/schemas.ts";

/** `/requests/{id}/timeline` (ADR 27). */
export const requestTimelineRoutes: Routes = async (app) => {
  app.get(
    "/requests/:request_log_id/timeline",
    {
      config: { scopes: ["logs:read"] },
      schema: {
        operationId: "getRequestTimeline",
        summary: "Show what a request did",
        description: "The request and all that it began, also in the background, oldest first.",
        tags: ["Logs"],
        params: Type.Object({
          request_log_id: Type.String({ description: "The id of its line in the request log." }),
        }),
        querystring: Type.Object(TimelineQuery),
        response: { 200: Timeline },
      },
    },
    async ({ ctx, params: { request_log_id }, query }) =>
      requestTimeline(ctx, request_log_id, query),
  );
};
