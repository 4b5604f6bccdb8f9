import { ApiError } from "../../domain/errors/errors.ts";
import type { Clock } from "../../domain/time/clock.ts";

/**
 * How often a secret may be guessed for one person. From one address: five tries at once, then one a second, two
 * seconds, up to a minute, so about 1,440 guesses a day. From all addresses together: a hundred at once, then one in six
 * seconds, so about 14,400 a day. One address alone never comes to that bound, so that who knows an e-mail does not keep
 * its owner out from another address; with ten addresses or more the owner is delayed by seconds. Counted in memory by each process, also for people who do not exist.
 */
export interface Throttle {
  /**
   * Counts a try before its secret is checked, so that tries at the same moment count as well. Throws 429 for one too
   * many, which does not count. Without an address, all tries are as from one. Call `succeeded` when the secret was
   * right.
   */
  begin(who: string, address?: string): { succeeded(): void };
}

const freeTries = 5;
const longestSeconds = 60;
const forgottenMs = 15 * 60_000;
const fromAllMax = 100;
const fromAllPauseMs = 6000;
const entriesMax = 10_000;

/** Of this process: it begins without any tries. */
export function throttleTries(clock: Clock): Throttle {
  const tries = new Map<string, { count: number; last_at: number }>();
  /** By person, until when its tries use up the bound of all addresses: each for one pause more. */
  const used = new Map<string, number>();
  return {
    begin(who, address) {
      const now = clock.now().getTime();
      const key = address === undefined ? who : `${who} ${address}`;
      const known = tries.get(key);
      const earlier = known && now - known.last_at < forgottenMs ? known : { count: 0, last_at: 0 };
      const usedUntil = Math.max(now, used.get(who) ?? 0);
      const left = Math.max(
        earlier.last_at + waitMs(earlier.count) - now,
        usedUntil - (fromAllMax - 1) * fromAllPauseMs - now,
      );
      if (left > 0)
        throw new ApiError("too_many_requests", { retry_after: Math.ceil(left / 1000) });
      enter(tries, key, { count: earlier.count + 1, last_at: now });
      enter(used, who, usedUntil + fromAllPauseMs);
      return {
        succeeded() {
          tries.delete(key);
          const until = used.get(who);
          if (until !== undefined) used.set(who, until - fromAllPauseMs);
        },
      };
    },
  };
}

function waitMs(count: number): number {
  return count < freeTries ? 0 : Math.min(longestSeconds, 2 ** (count - freeTries)) * 1000;
}

/** Enters it anew, so that the oldest comes first and is the first to be forgotten. */
function enter<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!);
  entries.set(key, value);
}
