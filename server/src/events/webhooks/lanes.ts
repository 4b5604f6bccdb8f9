import { fewestFirst, type FewestFirst, type Line } from "../../domain/scheduling/fewest-first.ts";
import type { Environment } from "../../database/tables.ts";
import type { WebhookHealth } from "../../domain/events/webhook-health.ts";
import type { ClaimedWebhook, Room } from "./claim.ts";
import type { DueDelivery, FilledLane, HeldWebhook } from "./lane-store.ts";

/** The webhooks that a process holds, each a lane, and which of them sends next. In memory alone. */
export interface Lane extends Line, HeldWebhook {
  url: string;
  environment: Environment;
  secrets: readonly string[];
  jobs: DueDelivery[];
  /** Ids of the deliveries that are in `jobs`, under way, or whose end is not written yet. */
  in_hand: Set<string>;
  max_in_flight: number;
  /** How many may be under way: one more after each success, one after no answer. */
  limit: number;
  health: WebhookHealth;
  pool: PoolName;
  claimed_at: number;
  due_at: Date;
  /** Until when what was read may be sent, and when it was read. */
  good_until: number;
  filled_at: number;
  is_filling: boolean;
  /** The last read found fewer than it asked for. */
  is_exhausted: boolean;
  /** Nothing more is begun. */
  is_closing: boolean;
  /** This process does not hold it any more. */
  is_lost: boolean;
}

/** Endpoints that do not answer may fill the slots of failing ones, and leave all others to healthy ones. */
type PoolName = "healthy" | "failing";
export const poolNames = ["healthy", "failing"] as const;
type PoolSizes = Record<PoolName, number>;
const poolSizes: PoolSizes = { healthy: 400, failing: 100 };

/** No account has more than this part of the slots. */
const accountsPart = 4;
/** For how long a webhook is held at most, so that no account keeps a process to itself. */
const heldMs = 5_000;
/** How many lanes of each pool are held for a slot of its. */
const lanesPerPlace = 2;

export interface Begun {
  lane: Lane;
  job: DueDelivery;
  /** The one whose slot it takes. */
  pool: PoolName;
}

export interface Lanes {
  open(claimed: ClaimedWebhook): Lane;
  all(): Iterable<Lane>;
  size(): number;
  heldOf(account_id: string): Lane[];
  room(): Room;
  /** Hands out what was read for it. */
  fill(lane: Lane, filled: FilledLane, by: Pick<Lane, "secrets" | "good_until">): void;
  /** The next delivery to send, which takes a slot; null when no lane may send. */
  next(): Begun | null;
  /** The attempt is over: its slot is free, and the lane may be in another pool, with another limit. */
  leave(begun: Begun, outcome: { is_success: boolean; is_answered: boolean }): void;
  /** Begins nothing more. Its deliveries that were not begun remain due. */
  close(lane: Lane): void;
  forget(lane: Lane): void;
  taken(pool: PoolName): number;
}

export function newLanes(sizes: PoolSizes = poolSizes): Lanes {
  const pools = poolsOf(sizes);
  const held = newHeldLanes();

  function offer(lane: Lane): void {
    if (!lane.is_closing && lane.jobs.length > 0 && lane.under_way < lane.limit)
      pools[lane.pool].offer(lane);
    else pools[lane.pool].withdraw(lane);
  }

  /** Also of jobs that were read too long ago: another process may have taken the webhook over since. */
  function drop(lane: Lane): void {
    for (const { delivery_id } of lane.jobs.splice(0)) lane.in_hand.delete(delivery_id);
    lane.is_exhausted = false;
    offer(lane);
  }

  function next(): Begun | null {
    for (const pool of poolNames)
      for (let lane = pools[pool].next(); lane; lane = pools[pool].next()) {
        if (performance.now() < lane.good_until) {
          const job = lane.jobs.shift()!;
          offer(lane);
          return { lane, job, pool };
        }
        pools[pool].leave(lane);
        drop(lane);
      }
    return null;
  }

  return {
    open(claimed) {
      const lane = laneOf(claimed);
      held.add(lane);
      return lane;
    },
    all: () => held.all,
    size: () => held.all.size,
    heldOf: held.of,
    room: () => roomOf(sizes, held.all),
    fill(lane, { url, max_in_flight, environment, due }, by) {
      const fresh = due.filter(({ delivery_id }) => !lane.in_hand.has(delivery_id));
      Object.assign(lane, { url, max_in_flight, environment, ...by });
      lane.limit = Math.min(lane.limit, max_in_flight);
      lane.jobs.push(...fresh);
      for (const { delivery_id } of fresh) lane.in_hand.add(delivery_id);
      offer(lane);
    },
    next,
    leave({ lane, pool }, { is_success, is_answered }) {
      pools[pool].leave(lane);
      pools[lane.pool].withdraw(lane);
      lane.pool = is_success ? "healthy" : "failing";
      if (is_success) lane.limit = Math.min(lane.max_in_flight, lane.limit + 1);
      else if (!is_answered) lane.limit = 1;
      offer(lane);
    },
    close(lane) {
      lane.is_closing = true;
      drop(lane);
    },
    forget(lane) {
      pools[lane.pool].withdraw(lane);
      held.delete(lane);
    },
    taken: (pool) => pools[pool].taken(),
  };
}

/** All lanes, and those of each account. */
function newHeldLanes() {
  const all = new Set<Lane>();
  const byAccount = new Map<string, Set<Lane>>();
  return {
    all,
    of: (account_id: string) => [...(byAccount.get(account_id) ?? [])],
    add(lane: Lane): void {
      all.add(lane);
      const own = byAccount.get(lane.account_id) ?? new Set();
      byAccount.set(lane.account_id, own.add(lane));
    },
    delete(lane: Lane): void {
      all.delete(lane);
      const own = byAccount.get(lane.account_id);
      own?.delete(lane);
      if (own?.size === 0) byAccount.delete(lane.account_id);
    },
  };
}

function poolsOf(sizes: PoolSizes): Record<PoolName, FewestFirst<Lane>> {
  const poolOf = (all: number) =>
    fewestFirst<Lane>({ all, of_account: Math.ceil(all / accountsPart) });
  return { healthy: poolOf(sizes.healthy), failing: poolOf(sizes.failing) };
}

function roomOf(sizes: PoolSizes, lanes: Iterable<Lane>): Room {
  const room = {
    healthy: sizes.healthy * lanesPerPlace,
    failing: sizes.failing * lanesPerPlace,
  };
  for (const { pool } of lanes) room[pool]--;
  return room;
}

function laneOf({ account_id, id, fence, due_at, ...health }: ClaimedWebhook): Lane {
  return {
    account_id,
    webhook_id: id,
    fence,
    under_way: 0,
    url: "",
    environment: "test",
    secrets: [],
    jobs: [],
    in_hand: new Set(),
    max_in_flight: 1,
    // Grows with each success: an endpoint that hangs takes one slot of healthy ones, not all that it may have.
    limit: 1,
    health,
    pool: health.failing_since === null ? "healthy" : "failing",
    claimed_at: performance.now(),
    due_at,
    good_until: 0,
    filled_at: 0,
    is_filling: false,
    is_exhausted: false,
    is_closing: false,
    is_lost: false,
  };
}

/** Few enough left that the next are read meanwhile. */
const refillAt = 4;
/** How soon a lane that had no more due is read again while it is at work. */
const rereadMs = 200;

/** Whether more due deliveries are to be read for it. */
export function isToFill(lane: Lane): boolean {
  if (lane.is_closing || lane.is_filling || lane.jobs.length > refillAt) return false;
  if (!lane.is_exhausted) return true;
  // An endpoint that is as busy as it may be could not be sent more.
  const isIdle = lane.under_way < lane.limit;
  return isIdle && lane.in_hand.size > 0 && performance.now() - lane.filled_at >= rereadMs;
}

/** Whether it has been held long enough, or has nothing left. */
export function isToClose(lane: Lane): boolean {
  if (lane.is_closing) return false;
  return (
    performance.now() - lane.claimed_at >= heldMs || (lane.is_exhausted && lane.in_hand.size === 0)
  );
}

/** Whether all its attempts have ended, and their ends are written. */
export function isEnded(lane: Lane): boolean {
  return lane.is_closing && lane.in_hand.size === 0 && !lane.is_filling;
}
