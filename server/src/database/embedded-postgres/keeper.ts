import type { Running } from "./server.ts";
import { pause } from "../retry.ts";
import type { WatchLog } from "../health/health-monitor.ts";

/**
 * Supervises the embedded PostgreSQL: when it dies without having been stopped, killed by hand or out of
 * memory, it is started again at its address. Acknowledged commits are in its WAL, and recovered from there.
 */
export interface SupervisedPostgres {
  /** Stops it for good; waits for a start in progress. */
  stop(): Promise<void>;
}

interface KeepOptions {
  start(): Promise<Running>;
  /** Logs `database.died`, `database.restarted` and `database.not_restarted`. */
  log: WatchLog | undefined;
}

const againMs = 250;

export function keepRunning(first: Running, { start, log }: KeepOptions): SupervisedPostgres {
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

  /**
   * Retries without limit; null when it is to stop. What the dead server left may block a start for a while.
   */
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
      // A restart may have finished while we waited.
      await running?.end();
    },
  };
}
