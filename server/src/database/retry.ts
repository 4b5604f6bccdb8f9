import { setTimeout as wait } from "node:timers/promises";
import { isUnavailable } from "./errors.ts";

/** Pauses, and retries until the database is available again. */

/** Resolves after so many milliseconds, or when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}

const everyMs = 250;

/**
 * Repeats the work until the database is available. It has to be idempotent, because an earlier try may have
 * been carried out although its response was lost. Ends when this process closes its connections: other
 * processes take over its unfinished work. Throws what a try throws for another reason than the database's
 * unavailability.
 */
export async function retryUntilAvailable(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await wait(everyMs, undefined, { ref: false });
  }
}
