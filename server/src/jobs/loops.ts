import type { FastifyBaseLogger } from "fastify";
import { pause } from "../database/retry.ts";
import { isUnavailable } from "../database/errors.ts";
import type { Activity } from "../domain/scheduling/activity.ts";
import { asRunning } from "../domain/scheduling/running-loops.ts";

/**
 * Periodic work of a worker. What must survive a dead worker is leased in the database (attempts, refunds),
 * so a loop only has to run regularly: any number of workers may run the same.
 */
export interface Loop {
  name: string;
  every_ms: number;
  /**
   * One round. Returning true means "more was due than this round took": the next round starts at once. A
   * round that goes on while there is work ends soon after the signal fires, and leaves nothing running.
   */
  run(signal: AbortSignal): Promise<boolean>;
  /** Waits between two rounds, in place of the whole of `every_ms`: for a loop that is told of its work. */
  pause?(every_ms: number, signal: AbortSignal): Promise<void>;
  /** Keeps its interval also while nothing is asked of the process. */
  is_restless?: boolean;
}

/** How long a loop waits while nothing is asked of the process: its polls are most of what it does then. */
const restMs = 5000;

/**
 * Between the first rounds of two loops. Most intervals are alike: loops that began together would each need a connection
 * to the database at the same moment, at each of their rounds.
 */
const staggerMs = 20;

/**
 * Starts every loop; `stop` resolves when the rounds that were running have ended. With an activity, loops rest while
 * there is none.
 */
export function startLoops(
  loops: readonly Loop[],
  log: FastifyBaseLogger,
  activity: Activity | null = null,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = loops.map(async (loop, index) => {
    if (index > 0) await pause(index * staggerMs, signal);
    await runLoop(loop, { log, signal, activity });
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function runLoop(
  loop: Loop,
  {
    log,
    signal,
    activity,
  }: { log: FastifyBaseLogger; signal: AbortSignal; activity: Activity | null },
): Promise<void> {
  let isDatabaseUnavailable = false;
  while (!signal.aborted) {
    let isMore = false;
    try {
      isMore = await asRunning(loop.name, () => loop.run(signal));
      isDatabaseUnavailable = false;
    } catch (error) {
      // The database may be unavailable; a later round finds it available again. It is logged once.
      const wasUnavailable = isDatabaseUnavailable;
      isDatabaseUnavailable = isUnavailable(error);
      if (!(wasUnavailable && isDatabaseUnavailable))
        log.error({ loop: loop.name, err: error }, "loop.failed");
    }
    if (isMore) {
      activity?.note();
      continue;
    }
    const mayRest = !loop.is_restless && loop.every_ms < restMs;
    if (mayRest && activity?.isQuiet()) await activity.rest(restMs, signal);
    else await (loop.pause ?? pause)(loop.every_ms, signal);
  }
}
