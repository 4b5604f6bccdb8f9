import { Type } from "typebox";
import type { Platform } from "../../context.ts";
import { listResponse, pageParameters } from "../../http/paging.ts";
import { publicOrigin } from "../../http/public-origin.ts";
import type { Routes } from "../../http/routes.ts";
import type { AnyOperation } from "../../outbound/operation.ts";
import { decideReview, reviewsSource, showReview } from "./reviews.ts";

/** `/api/admin/reviews`: outside effects whose outcome only a person can find out. */
export const reviewRoutes =
  (platform: Platform, operations: readonly AnyOperation[]): Routes =>
  async (app) => {
    const params = Type.Object({ attempt_id: Type.String() });
    const origin = publicOrigin(app, platform.config);
    const reviews = { platform, operations };

    app.get(
      "/reviews",
      { schema: { querystring: Type.Object(pageParameters) } },
      async ({ url, query, server, routeOptions }) => {
        const ctx = { config: platform.config, base_url: origin() + server.prefix };
        return listResponse({ url, query, server, routeOptions, ctx }, reviewsSource(reviews));
      },
    );

    app.get("/reviews/:attempt_id", { schema: { params } }, async (request) => ({
      data: await showReview(reviews, request.params.attempt_id),
    }));

    app.post(
      "/reviews/:attempt_id",
      { config: { validation: "in_verb" }, schema: { params, body: Type.Unknown() } },
      async (request) => ({
        data: await decideReview(
          reviews,
          { id: request.params.attempt_id, ctx: request.ctx },
          request.body,
        ),
      }),
    );
  };
