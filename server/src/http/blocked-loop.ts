import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../context.ts";
import { activityOf } from "../domain/scheduling/activity.ts";
import { runningLoops } from "../domain/scheduling/running-loops.ts";

/**
 * Reports when something blocked the event loop, and which requests and background work were under way: one
 * of them caused it. A suspended machine is distinguished by CPU time: it spends none.
 */

const everyMs = 20;
const restMs = 1000;
/** No request may block the loop for longer. */
const heldMsMax = 50;
const namedMax = 10;
/** A process that has just started compiles the code that it runs for the first time. */
const startSeconds = 15;

export function reportBlockedLoop(app: FastifyInstance, { db, log, metrics }: Platform): void {
  const activity = activityOf(db);
  // A request that blocked the loop may be answered before the next check of the loop: it stays here
  // until then.
  let replies: FastifyReply[] = [];
  let next = checkIn(everyMs);
  app.addHook("onRequest", (_request, reply, done) => {
    replies.push(reply);
    if (next.ms > everyMs) {
      clearTimeout(next.timer);
      next = checkIn(everyMs);
    }
    done();
  });

  /** Each check wakes the process, so there are few while nothing is asked of it. */
  function checkIn(ms: number) {
    const timer = setTimeout(() => {
      check(next);
      next = checkIn(activity.isQuiet() && replies.length === 0 ? restMs : everyMs);
    }, ms);
    timer.unref();
    return { ms, timer, since: performance.now(), cpuMs: cpuMsOfThread() };
  }

  function check({ ms, since, cpuMs }: { ms: number; since: number; cpuMs: number }): void {
    const late_ms = performance.now() - since - ms;
    const cpu_ms = cpuMsOfThread() - cpuMs;
    const came = replies;
    replies = came.filter(({ raw }) => !raw.closed);
    if (late_ms < heldMsMax || cpu_ms < heldMsMax) return;
    if (came.length === 0 && process.uptime() < startSeconds) return;
    const suspects = [...came.filter(({ raw }) => raw.closed), ...replies];
    metrics.event_loop_blocked_seconds.observe(cpu_ms / 1000);
    log.warn(
      {
        blocked_ms: Math.round(cpu_ms),
        requests: suspects.slice(0, namedMax).map(({ request }) => nameOf(request)),
        loops: runningLoops(),
      },
      "event_loop.blocked",
    );
  }

  app.addHook("onClose", async () => clearTimeout(next.timer));
}

/** Of this thread alone: documents are drawn and goods classified in others. */
function cpuMsOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function nameOf(request: FastifyRequest) {
  const ctx = request.ctx as typeof request.ctx | null;
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    account_id: ctx?.account.account_id,
  };
}
