import type { Running } from "./server.ts";
import { pause } from "../retry.ts";
import type { WatchLog } from "../health/health-monitor.ts";

/**
 * Nobody else looks after the embedded PostgreSQL: when it dies and no one asked it to, killed by hand
 * or for want of memory, it is started again at its address. What was acknowledged is in its log on
 * disk, and recovered from there.
 */
export interface Kept {
  /** Stops it for good; waits for a start that is under way. */
  stop(): Promise<void>;
}

export interface KeepOptions {
  start(): Promise<Running>;
  /** Hears of `database.died`, `database.restarted` and `database.not_restarted`. */
  log: WatchLog | undefined;
}

const againMs = 250;

export function keepRunning(first: Running, { start, log }: KeepOptions): Kept {
  const stopping = new AbortController();
  let running: Running | null = first;

  async function keep(): Promise<void> {
    for (;;) {
      await running!.gone;
      if (stopping.signal.aborted) return;
      log?.error({ pid: running!.pid }, "database.died");
      await running!.end();
      running = await restart();
      if (!running) return;
      log?.info({ pid: running.pid }, "database.restarted");
    }
  }

  /** As often as it takes; null when we are to stop. What the dead one left may be in the way for a while. */
  async function restart(): Promise<Running | null> {
    while (!stopping.signal.aborted) {
      try {
        return await start();
      } catch (error) {
        log?.error({ err: error }, "database.not_restarted");
      }
      await pause(againMs, stopping.signal);
    }
    return null;
  }

  const keeping = keep();
  return {
    async stop() {
      stopping.abort();
      await running?.end();
      await keeping;
      // One that started meanwhile.
      await running?.end();
    },
  };
}
