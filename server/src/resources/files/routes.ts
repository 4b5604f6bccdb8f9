import type { FastifyInstance } from "fastify";
import type { Platform } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { contentTypeOf } from "../../providers/files/content-types.ts";
import { openWhole } from "./open-file.ts";

/**
 * Signed links to files (decision 8, 17): no token, GET and HEAD only, expired after thirty minutes. They are
 * outside the API's base addresses, because browsers and printers follow them. What was voided since the link
 * was made is 404. These routes do not exist where a store serves its own links.
 */
export function fileRoutes(app: FastifyInstance, platform: Platform): void {
  const {
    files: { served },
    clock,
  } = platform;
  if (!served) return;
  app.get<{ Params: { "*": string }; Querystring: { expires?: string; signature?: string } }>(
    "/files/*",
    { schema: { hide: true } },
    async (request, reply) => {
      const { method } = request;
      const key = request.params["*"];
      const { expires = "", signature = "" } = request.query;
      const link = { method, key, expires: String(expires), signature: String(signature) };
      if (!served.isSigned(link, clock.now())) throw new ApiError("url_expired");
      const file = await openWhole(platform, key);
      return reply
        .type(contentTypeOf(key))
        .header("Content-Length", file.bytes)
        .header("Cache-Control", "private, no-store")
        .header("X-Content-Type-Options", "nosniff")
        .send(file.content);
    },
  );
}
