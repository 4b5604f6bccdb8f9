import { pause } from "../database/retry.ts";
import type { Database } from "../database/tables.ts";
import { activityOf } from "../domain/scheduling/activity.ts";

/**
 * Tells the loop that places events that this process has committed some. In memory only: NOTIFY takes a lock of
 * the whole server at each commit. Events of other processes are found by the next round.
 */

/** Wakes each loop that waits for events of this database, and those that rest: events are work. */
export function wakePlacing(db: Database): void {
  activityOf(db).note();
  for (const wake of loops.get(db) ?? []) wake();
}

const loops = new WeakMap<Database, Set<() => void>>();

/**
 * Many commits within so many milliseconds share a round: placing each by itself would cost as much as the
 * transactions that are placed.
 */
const sharedMs = 100;

/** Makes the pause of a loop that is told of events of this database, also of those during its last round. */
export function pauseUntilWoken(
  db: Database,
): (every_ms: number, signal: AbortSignal) => Promise<void> {
  let woken = new AbortController();
  const wake = () => woken.abort();
  const known = loops.get(db) ?? new Set();
  loops.set(db, known.add(wake));
  return async (every_ms, signal) => {
    signal.addEventListener("abort", wake);
    await pause(sharedMs, signal);
    if (!signal.aborted) await pause(every_ms - sharedMs, woken.signal);
    signal.removeEventListener("abort", wake);
    woken = new AbortController();
  };
}
