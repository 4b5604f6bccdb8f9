import type { AccountContext, Platform } from "../../context.ts";
import { readSettings } from "../../domain/accounts/account-settings.ts";
import type { ClaimedItem, Run } from "./item-store.ts";

/**
 * Whose turn it is. Each batch has a lane of items that this process has claimed; the next turn is of
 * the account that has the fewest under way, and of its batch that has, so that a small batch passes a
 * large one by, whoever they belong to. No account may take all places.
 */
export interface Lane {
  run: Run;
  ctx: AccountContext;
  queue: ClaimedItem[];
  under_way: number;
  /** Nothing waits any more, as far as we know. */
  is_dry: boolean;
}

export interface Lanes {
  /** Takes what is being processed now. Returns the items that were claimed for batches that stopped. */
  refresh(runs: readonly Run[]): ClaimedItem[];
  /** Lanes that want more items, those that have none first, and how many each. */
  thirsty(): { lane: Lane; limit: number }[];
  fill(lane: Lane, items: readonly ClaimedItem[], limit: number): void;
  /** Begins the next turn; null when there is no place or no item. */
  next(): { lane: Lane; item: ClaimedItem } | null;
  /** Ends it. */
  leave(lane: Lane): void;
  /** Whether this process has nothing more to do for it. */
  isDrained(lane: Lane): boolean;
  /** Empties all queues. */
  clear(): ClaimedItem[];
}

/** Claimed ahead of their turn, so that a claim is not a commit for each item. */
const aheadMax = 16;

export function newLanes(platform: Platform): Lanes {
  const { batch_items_max: placesMax, batch_account_items_max: accountMax } = platform.config;
  const lanes = new Map<string, Lane>();
  const underWay = new Map<string, number>();
  let places = 0;

  const ofAccount = (lane: Lane) => underWay.get(lane.run.account_id) ?? 0;
  const drain = (lane: Lane) => lane.queue.splice(0);

  function laneOf(run: Run): Lane {
    const ctx = { ...platform, account: accountOf(run) };
    const lane = lanes.get(run.batch_id);
    if (lane) return Object.assign(lane, { run, ctx });
    const made = { run, ctx, queue: [], under_way: 0, is_dry: true };
    lanes.set(run.batch_id, made);
    return made;
  }

  /** Of equals the first, which was served longest ago. */
  function mostDue(): Lane | null {
    const able = [...lanes.values()].filter(
      (lane) => lane.queue.length > 0 && ofAccount(lane) < accountMax,
    );
    const order = (a: Lane, b: Lane) => ofAccount(a) - ofAccount(b) || a.under_way - b.under_way;
    return able.sort(order)[0] ?? null;
  }

  return {
    refresh(runs) {
      for (const run of runs) {
        if (run.has_waiting) laneOf(run).is_dry = false;
        else if (lanes.has(run.batch_id)) laneOf(run);
      }
      const running = new Set(runs.map(({ batch_id }) => batch_id));
      const stopped = [...lanes.values()].filter((lane) => !running.has(lane.run.batch_id));
      for (const lane of stopped) lane.is_dry = true;
      const given = stopped.flatMap(drain);
      for (const [id, lane] of lanes) if (isDrained(lane)) lanes.delete(id);
      return given;
    },

    thirsty() {
      const share = Math.min(aheadMax, Math.ceil(placesMax / Math.max(1, lanes.size)));
      return [...lanes.values()]
        .filter((lane) => !lane.is_dry && lane.queue.length <= share / 4)
        .sort((a, b) => a.queue.length - b.queue.length)
        .map((lane) => ({ lane, limit: share - lane.queue.length }));
    },

    fill(lane, items, limit) {
      lane.queue.push(...items);
      lane.is_dry = items.length < limit;
    },

    next() {
      const lane = places < placesMax ? mostDue() : null;
      const item = lane?.queue.shift();
      if (!lane || !item) return null;
      places++;
      lane.under_way++;
      underWay.set(lane.run.account_id, ofAccount(lane) + 1);
      // Whoever was served last stands last.
      lanes.delete(lane.run.batch_id);
      lanes.set(lane.run.batch_id, lane);
      return { lane, item };
    },

    leave(lane) {
      places--;
      lane.under_way--;
      const left = ofAccount(lane) - 1;
      if (left > 0) underWay.set(lane.run.account_id, left);
      else underWay.delete(lane.run.account_id);
    },

    isDrained,

    clear: () => [...lanes.values()].flatMap(drain),
  };
}

function isDrained(lane: Lane): boolean {
  return lane.is_dry && lane.under_way === 0 && lane.queue.length === 0;
}

/** The account as work on its behalf needs it. */
export function accountOf({ account }: Pick<Run, "account">): AccountContext["account"] {
  const { account_id, organization_id, environment, currency, default_from_address } = account;
  const settings = readSettings(account.settings);
  return { account_id, organization_id, environment, currency, default_from_address, settings };
}
