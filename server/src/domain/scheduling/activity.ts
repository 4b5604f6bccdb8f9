import { setTimeout as wait } from "node:timers/promises";

/**
 * Whether anything is asked of a process. Background work that only polls rests between its rounds while nothing is,
 * and goes on at once when something is.
 */
export interface Activity {
  /** A request was received, or a round found work. */
  note(): void;
  /** Whether nothing was noted for a while. */
  isQuiet(): boolean;
  /** Resolves after so many milliseconds if nothing was noted for a while, else at once; also when something is. */
  rest(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const quietAfterMs = 10_000;

/** The activity of what shares this handle: a process has one database. */
export function activityOf(handle: object): Activity {
  let activity = known.get(handle);
  if (!activity) known.set(handle, (activity = newActivity()));
  return activity;
}

const known = new WeakMap<object, Activity>();

/** An activity that counts as quiet after so long. */
export function newActivity(afterMs = quietAfterMs): Activity {
  let noted_at = performance.now();
  let woken = new AbortController();
  const isQuiet = () => performance.now() - noted_at >= afterMs;
  return {
    isQuiet,
    note() {
      noted_at = performance.now();
      // An abort makes an error, each time.
      if (!woken.signal.aborted) woken.abort();
    },
    async rest(milliseconds, signal) {
      if (!isQuiet()) return;
      if (woken.signal.aborted) woken = new AbortController();
      const either = AbortSignal.any([signal, woken.signal]);
      await wait(milliseconds, undefined, { signal: either }).catch(() => undefined);
    },
  };
}
