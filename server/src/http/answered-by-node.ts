import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../domain/errors/errors.ts";

/**
 * Refuses here what Node would refuse by itself with an empty body: decision 2 gives every error a body, and decision 1
 * every response a Request-Id. The server has `requireHostHeader: false` for the first of the two.
 */
export function refuseWhatNodeWould(app: FastifyInstance): void {
  const unmet = new WeakSet<IncomingMessage>();
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    unmet.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("onRequest", async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === "1.1")
      throw new ApiError("bad_request", { message: "The request has no Host header." });
    if (unmet.has(raw)) throw new ApiError("expectation_failed");
  });
}
