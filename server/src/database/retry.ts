import { setTimeout as wait } from "node:timers/promises";
import { isUnavailable } from "./trouble.ts";

/** Waiting, for a while or for the database. */

/** Resolves after so many milliseconds, or when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}

const everyMs = 250;

/**
 * Does what the database's absence kept from being done, once it is back. Each try has to be harmless
 * after another that did its work unheard. Gives up when this process closes its connections: whatever
 * it leaves behind, others take over. Throws what any try throws that is no trouble of the database.
 */
export async function insist(work: () => Promise<unknown>): Promise<void> {
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
