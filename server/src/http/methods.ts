import type { FastifyInstance } from "fastify";
import { ApiError, notFound } from "../domain/errors.ts";

/** Tells an unknown path (404) from a known one that was called with the wrong method (405). */
export function answerUnknownRoutes(scope: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  scope.addHook("onRoute", ({ url, method }) => {
    known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  scope.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0]!;
    const methods = known
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => route.methods);
    if (methods.length === 0) throw notFound();
    void reply.header("allow", [...new Set(methods)].sort().join(", "));
    throw new ApiError("method_not_allowed");
  });
}

/** `/labels/:shipment_id` matches any one segment in place of the parameter. */
function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/");
  return new RegExp(`^${source}$`);
}
