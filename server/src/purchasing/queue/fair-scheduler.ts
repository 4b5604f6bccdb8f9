import type { AccountContext, Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import type { ClaimedItem, Run } from "./item-store.ts";

/**
 * Whose turn it is. Each batch has a queue of items that this process has claimed; the next turn is of
 * the account that has the fewest under way, and of its batch that has, so that a small batch passes a
 * large one by, whoever they belong to. No account may take all places.
 */
export interface BatchQueue {
  run: Run;
  ctx: AccountContext;
  items: ClaimedItem[];
  under_way: number;
  /** Nothing waits any more, as far as we know. */
  is_exhausted: boolean;
}

export interface FairScheduler {
  /** Takes what is being processed now. Returns the items that were claimed for batches that stopped. */
  refresh(runs: readonly Run[]): ClaimedItem[];
  /** Those that want more items, those that have none first, and how many each. */
  needingItems(): { queue: BatchQueue; limit: number }[];
  fill(queue: BatchQueue, items: readonly ClaimedItem[], limit: number): void;
  /** Begins the next turn; null when there is no place or no item. */
  next(): { queue: BatchQueue; item: ClaimedItem } | null;
  /** Ends it. */
  leave(queue: BatchQueue): void;
  /** Whether this process has nothing more to do for it. */
  isFinished(queue: BatchQueue): boolean;
  /** Empties all queues. */
  clear(): ClaimedItem[];
}

/** Claimed ahead of their turn, so that a claim is not a commit for each item. */
const aheadMax = 16;

export function newFairScheduler(platform: Platform): FairScheduler {
  const { batch_items_max: placesMax, batch_account_items_max: accountMax } = platform.config;
  const queues = new Map<string, BatchQueue>();
  const underWay = new Map<string, number>();
  let places = 0;

  const ofAccount = (queue: BatchQueue) => underWay.get(queue.run.account_id) ?? 0;
  const drain = (queue: BatchQueue) => queue.items.splice(0);

  function queueOf(run: Run): BatchQueue {
    const ctx = { ...platform, account: accountOf(run.account) };
    const queue = queues.get(run.batch_id);
    if (queue) return Object.assign(queue, { run, ctx });
    const made = { run, ctx, items: [], under_way: 0, is_exhausted: true };
    queues.set(run.batch_id, made);
    return made;
  }

  /** Of equals the first, which was served longest ago. */
  function mostDue(): BatchQueue | null {
    const able = [...queues.values()].filter(
      (queue) => queue.items.length > 0 && ofAccount(queue) < accountMax,
    );
    const order = (a: BatchQueue, b: BatchQueue) =>
      ofAccount(a) - ofAccount(b) || a.under_way - b.under_way;
    return able.sort(order)[0] ?? null;
  }

  return {
    refresh(runs) {
      for (const run of runs) {
        if (run.has_waiting) queueOf(run).is_exhausted = false;
        else if (queues.has(run.batch_id)) queueOf(run);
      }
      const running = new Set(runs.map(({ batch_id }) => batch_id));
      const stopped = [...queues.values()].filter((queue) => !running.has(queue.run.batch_id));
      for (const queue of stopped) queue.is_exhausted = true;
      const given = stopped.flatMap(drain);
      for (const [id, queue] of queues) if (isFinished(queue)) queues.delete(id);
      return given;
    },

    needingItems() {
      const share = Math.min(aheadMax, Math.ceil(placesMax / Math.max(1, queues.size)));
      return [...queues.values()]
        .filter((queue) => !queue.is_exhausted && queue.items.length <= share / 4)
        .sort((a, b) => a.items.length - b.items.length)
        .map((queue) => ({ queue, limit: share - queue.items.length }));
    },

    fill(queue, items, limit) {
      queue.items.push(...items);
      queue.is_exhausted = items.length < limit;
    },

    next() {
      const queue = places < placesMax ? mostDue() : null;
      const item = queue?.items.shift();
      if (!queue || !item) return null;
      places++;
      queue.under_way++;
      underWay.set(queue.run.account_id, ofAccount(queue) + 1);
      // Whoever was served last stands last.
      queues.delete(queue.run.batch_id);
      queues.set(queue.run.batch_id, queue);
      return { queue, item };
    },

    leave(queue) {
      places--;
      queue.under_way--;
      const left = ofAccount(queue) - 1;
      if (left > 0) underWay.set(queue.run.account_id, left);
      else underWay.delete(queue.run.account_id);
    },

    isFinished,

    clear: () => [...queues.values()].flatMap(drain),
  };
}

function isFinished(queue: BatchQueue): boolean {
  return queue.is_exhausted && queue.under_way === 0 && queue.items.length === 0;
}
