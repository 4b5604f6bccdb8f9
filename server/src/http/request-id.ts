import type { FastifyInstance } from "fastify";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Every answer names its request (decision 1), so that its lines in the log can be found. */

const usable = /^[\x20-\x7e]{1,64}$/;

/** The client's own `X-Request-Id`, if it can be echoed. */
export function statedRequestId(request: IncomingMessage): string | undefined {
  const stated = request.headers["x-request-id"];
  return typeof stated === "string" && usable.test(stated) ? stated : undefined;
}

/** The client's own `Request-Id` where it may be one, else a UUID. */
export function newRequestId(request: IncomingMessage): string {
  return statedRequestId(request) ?? randomUUID();
}

/** The first hook of all, so that every later refusal carries the header too. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("request-id", request.id);
    done();
  });
}
