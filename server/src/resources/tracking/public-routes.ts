import type { FastifyInstance, FastifyReply } from "fastify";
import type { Platform } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { pageLimit } from "../../http/rate-limits.ts";
import { isTrackingCode } from "./get-tracking.ts";
import {
  brokenPage,
  contentSecurityPolicy,
  tooOftenPage,
  trackingPage,
  unknownPage,
} from "./public-page.ts";
import * as store from "../../shipping/tracking/store.ts";
import { newestFirst } from "./view.ts";

/**
 * `/t/{tracking_code}`: a page for recipients, without a token, outside the API's base addresses. It searches
 * every account, since the holder of the code knows none.
 */
export function publicTrackingRoutes(app: FastifyInstance, platform: Platform): void {
  const spend = pageLimit(platform.config);
  app.get<{ Params: { tracking_code: string } }>(
    "/t/:tracking_code",
    {
      schema: { hide: true },
      errorHandler: (error, request, reply) => {
        const isTooOften = error instanceof ApiError && error.code === "too_many_requests";
        if (isTooOften) void reply.header("retry-after", error.retry_after);
        else request.log.error({ err: error }, "page.failed");
        void sendPage(reply, isTooOften ? 429 : 503, isTooOften ? tooOftenPage : brokenPage);
      },
    },
    async ({ params, ip }, reply) => {
      await spend(reply, ip);
      const html = await pageOf(platform, params.tracking_code);
      return sendPage(reply, html === null ? 404 : 200, html ?? unknownPage);
    },
  );
}

async function pageOf({ db, carriers }: Platform, code: string): Promise<string | null> {
  const row = isTrackingCode(code) ? await store.findTrackerAnywhere(db, code) : null;
  if (!row) return null;
  const { tracking_code, status, estimated_delivery_date, delivered_at } = row;
  const events = await store.listEvents(db, row.account_id, row.id);
  const descriptor = carriers.find(row.carrier)?.descriptor;
  return trackingPage({
    tracking_code,
    status,
    estimated_delivery_date,
    delivered_at,
    carrier_name: descriptor?.name ?? row.carrier,
    carrier_url: descriptor?.trackingUrl(tracking_code) ?? null,
    events: newestFirst(events).filter((event) => event.status !== "unknown"),
  });
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    })
    .send(html);
}
