import { ApiError } from "../../domain/errors/errors.ts";
import type { Clock } from "../../domain/time/clock.ts";

/**
 * How often a secret may be guessed for one person: five tries at once, then one a second, two seconds, up to
 * a minute. Counted in memory by each process, also for people who do not exist.
 */
export interface Throttle {
  /**
   * Counts a try before its secret is checked, so that tries at the same moment count as well. Throws 429.
   * Call `succeeded` when the secret was right.
   */
  begin(who: string): { succeeded(): void };
}

const freeTries = 5;
const longestSeconds = 60;
const forgottenMs = 15 * 60_000;
const entriesMax = 10_000;

/** Of this process: it begins without any tries. */
export function throttleTries(clock: Clock): Throttle {
  const tries = new Map<string, { count: number; last_at: number }>();
  return {
    begin(who) {
      const now = clock.now().getTime();
      const known = tries.get(who);
      const earlier = known && now - known.last_at < forgottenMs ? known : { count: 0, last_at: 0 };
      const left = earlier.last_at + waitMs(earlier.count) - now;
      if (left > 0)
        throw new ApiError("too_many_requests", { retry_after: Math.ceil(left / 1000) });
      // Entered anew, so that the oldest comes first and is the first to be forgotten.
      tries.delete(who);
      if (tries.size >= entriesMax) tries.delete(tries.keys().next().value!);
      tries.set(who, { count: earlier.count + 1, last_at: now });
      return { succeeded: () => void tries.delete(who) };
    },
  };
}

function waitMs(count: number): number {
  return count < freeTries ? 0 : Math.min(longestSeconds, 2 ** (count - freeTries)) * 1000;
}
