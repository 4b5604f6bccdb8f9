import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, noSuchPath } from "../domain/errors/errors.ts";

/**
 * Makes the refusal of requests that no route takes: 404 for an unknown path, 405 for a known one called
 * with the wrong method. To be thrown once the caller is authenticated, before the body is read.
 */
export function unknownRoutes(
  scope: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply) => ApiError {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  scope.addHook("onRoute", ({ url, method }) => {
    known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  // With a handler of its own, the scope's hooks run for unknown routes, too: they refuse them.
  scope.setNotFoundHandler(() => {
    throw noSuchPath();
  });
  return (request, reply) => {
    const path = request.url.split("?", 1)[0]!;
    const methods = known
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => route.methods);
    if (methods.length === 0) return noSuchPath();
    void reply.header("allow", [...new Set(methods)].sort().join(", "));
    return new ApiError("method_not_allowed");
  };
}

/** `/labels/:shipment_id` matches any one segment in place of the parameter. */
function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/");
  return new RegExp(`^${source}$`);
}
