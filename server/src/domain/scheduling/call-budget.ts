import { AsyncLocalStorage } from "node:async_hooks";

/**
 * How many calls a party accepts in a time. In the async context, because one operation of a carrier may be several
 * calls, which are made through layers that know nothing of contracts.
 */
interface CallBudget {
  /** Takes one call from it. Throws `BudgetExhausted` where there is none left: the call must not be made. */
  spend(): void;
}

export class BudgetExhausted extends Error {
  /** In how long a call like this is accepted again. */
  readonly retry_after_seconds: number;

  constructor(retry_after_ms: number) {
    super("the budget of calls is exhausted");
    this.name = "BudgetExhausted";
    this.retry_after_seconds = Math.max(1, Math.ceil(retry_after_ms / 1000));
  }
}

const current = new AsyncLocalStorage<CallBudget>();

/** Runs the work, each of whose calls is taken from the budget. */
export function withinBudget<T>(budget: CallBudget, work: () => T): T {
  return current.run(budget, work);
}

/** Before each call of a party: takes it from the budget that it is made under, if there is one. */
export function spendCall(): void {
  current.getStore()?.spend();
}

/**
 * How many calls there were in a window of time that slides. It counts by slots, and the oldest one as long as a part of
 * it is in the window: never too few.
 */
export interface CallCount {
  /** Calls in the window that ends now. */
  used(now: number): number;
  /** Counts so many calls; fewer than none for such as were counted at that time and not made. */
  add(now: number, calls: number): void;
  /** In how many milliseconds fewer than so many are in it. 0 if they are now. */
  freeIn(now: number, limit: number): number;
}

const slots = 60;

/** Times are milliseconds of a clock that never goes back. */
export function callCount(windowMs: number): CallCount {
  const slotMs = windowMs / slots;
  const counts = new Map<number, number>();
  const slotOf = (now: number) => Math.floor(now / slotMs);

  function forget(now: number): void {
    for (const slot of counts.keys()) if (slot < slotOf(now) - slots) counts.delete(slot);
  }

  function used(now: number): number {
    forget(now);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  return {
    used,
    add(now, calls) {
      const count = counts.get(slotOf(now)) ?? 0;
      counts.set(slotOf(now), Math.max(0, count + calls));
    },
    freeIn(now, limit) {
      let left = used(now);
      if (left < limit) return 0;
      for (const [slot, count] of counts) {
        left -= count;
        if (left < limit) return (slot + slots + 1) * slotMs - now;
      }
      return windowMs;
    },
  };
}
