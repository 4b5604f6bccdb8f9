import type { FastifyInstance } from "fastify";
import type { Platform } from "../context.ts";
import { listOpenRestores } from "../database/health/restores.ts";
import { ApiError } from "../domain/errors/errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Announces that this process is about to stop, so that balancers send it nothing new. */
    startDraining(): void;
    /** Fires when this process is about to stop: what waits for something ends. */
    draining: AbortSignal;
  }
}

/**
 * Serves the process's own state: alive, ready, metrics. Once draining, `/readyz` is 503 and every
 * answer closes its connection; requests under way are finished all the same.
 */
export function reportHealth(app: FastifyInstance, { db, metrics }: Platform): void {
  const draining = new AbortController();
  const openRestores = askedAtMostEvery(250, () => listOpenRestores(db));
  app.decorate("startDraining", () => draining.abort());
  app.decorate("draining", draining.signal);
  app.addHook("preClose", async () => draining.abort());
  app.addHook("onSend", async (_request, reply, payload) => {
    if (draining.signal.aborted) void reply.header("connection", "close");
    return payload;
  });

  app.get("/healthz", { logLevel: "silent" }, async () => ({ status: "ok" }));

  app.get("/readyz", { logLevel: "silent" }, async () => {
    if (draining.signal.aborted)
      throw new ApiError("unavailable", { message: "This process is stopping.", retry_after: 1 });
    try {
      // Ready all the same: reads, drafts and rates work, and taking it out of service would stop them.
      const [restore] = await openRestores();
      if (restore) return { status: "ready", to_reconcile_since: restore.taken_at };
    } catch (error) {
      throw new ApiError("unavailable", {
        message: "The database is not reachable.",
        retry_after: 1,
        cause: error,
      });
    }
    return { status: "ready" };
  });

  app.get("/metrics", { logLevel: "silent" }, async (_request, reply) => {
    void reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });

  app.addHook("onResponse", async (request, reply) => {
    const seconds = reply.elapsedTime / 1000;
    const route = request.routeOptions.url ?? "unknown";
    metrics.request_seconds.observe(
      { method: request.method, route, status: reply.statusCode },
      seconds,
    );
    request.log.info(
      {
        method: request.method,
        path: request.url.split("?", 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account_id: (request.ctx as typeof request.ctx | null)?.account.account_id,
      },
      "request.answered",
    );
  });
}

/**
 * Queries the database at most once in so many milliseconds for all callers, so that unauthenticated
 * requests cannot load it. A failure is not cached: the next caller queries again.
 */
function askedAtMostEvery<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last && now - last.at < milliseconds) return last.answer;
    const asked = { at: now, answer: ask() };
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    last = asked;
    return asked.answer;
  };
}
