import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../../context.ts";
import { ApiError, notFound } from "../../domain/errors.ts";

const contentTypes: Record<string, string> = {
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".zpl": "application/zpl; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
};

/**
 * Signed links to files (decision 8, 17): no token, GET and HEAD only, gone after thirty minutes. They
 * stand outside the API's base addresses, because browsers and printers follow them.
 */
export function fileRoutes(app: FastifyInstance, { files, clock }: Platform): void {
  app.get<{ Params: { "*": string }; Querystring: { expires?: string; signature?: string } }>(
    "/files/*",
    { schema: { hide: true } },
    async (request, reply) => {
      const key = request.params["*"];
      const { expires = "", signature = "" } = request.query;
      if (
        !files.isSigned(
          { method: request.method, key, expires: String(expires), signature: String(signature) },
          clock.now(),
        )
      ) {
        throw new ApiError("url_expired");
      }
      const bytes = await files.read(key);
      if (!bytes) throw notFound();
      return reply
        .type(contentTypes[extname(key)] ?? "application/octet-stream")
        .header("Cache-Control", "private, no-store")
        .header("X-Content-Type-Options", "nosniff")
        .send(bytes);
    },
  );
}
