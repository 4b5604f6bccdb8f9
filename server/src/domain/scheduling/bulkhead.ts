/**
 * A bulkhead: a number of slots that several owners share fairly. A seeker that finds none free waits, and
 * a slot that becomes free goes to the lowest rank first, then to the owner that holds the fewest, then to
 * the owner whose queue is next (round robin).
 *
 * What one owner may hold follows from what is left (dynamic thresholds, as switches share their buffers):
 * it gets another slot only while it holds fewer than are free. Alone it has half of them; two that want all
 * have a third each; and however many want all, a newcomer gets a slot. An owner that has used up more than
 * its share of the time gets no slot for a while, so that the others have the time in between.
 */
export interface Bulkhead {
  /**
   * Resolves with the function that releases the slot, which is idempotent. Rejects with `BulkheadFull` after
   * waiting so long, or at once when too many of the owner's wait.
   */
  enter(seeker: Seeker, options?: WaitOptions): Promise<() => void>;
  /** The same without waiting: null when there is no slot now. */
  enterNow(seeker: Seeker): (() => void) | null;
  /**
   * The owner has used up so many ms of its time in these bounds; far ahead of it, it gets no slot for a
   * while. To be called before the slot is released.
   */
  use(seeker: Seeker, ms: number): void;
}

/** An owner waits only when it is so much ahead: an occasional one never does. */
const aheadMs = 1000;

export interface Seeker {
  /** Null for the platform itself, from which no account has to be protected. */
  owner: string | null;
  /** Lower goes first. */
  rank: number;
  /** The seeker has to fit into all of them. */
  bounds: readonly Bound[];
}

export interface WaitOptions {
  wait_ms: number;
  /** Of one owner and rank. */
  waiting_max?: number;
  /** Ends the wait of a client that has closed its connection. */
  signal?: AbortSignal;
}

/** A limit that several kinds of seekers may share. */
export interface Bound {
  readonly name: string;
  readonly places: number;
  readonly each: (owner: string) => number;
  taken: number;
  readonly held: Map<string, number>;
  /** Until when an owner has used up its time, by `performance.now()`. */
  readonly used: Map<string, number>;
}

/** `each` is the most that one owner holds, whatever is free. */
export function aBound(
  name: string,
  places: number,
  { each = () => places }: Partial<Pick<Bound, "each">> = {},
): Bound {
  return { name, places, each, taken: 0, held: new Map(), used: new Map() };
}

/** No slot was free in time; nothing was done. */
export class BulkheadFull extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BulkheadFull";
  }
}

interface Waiting {
  seeker: Seeker;
  key: string;
  /** By `performance.now()`. */
  gives_up_at: number;
  admit(): void;
  giveUp(): void;
}

export function bulkhead(): Bulkhead {
  const queues = waitingQueues();
  const wakeBy = alarm(wake);

  function admitAll(): void {
    for (let each = queues.shift(); each; each = queues.shift()) each.admit();
  }

  /** An owner may have a slot again, or a seeker has timed out. */
  function wake(): void {
    admitAll();
    const now = performance.now();
    for (const each of queues.all()) if (each.gives_up_at <= now) each.giveUp();
    wakeBy(Math.min(Infinity, ...queues.all().map(wakesAt)));
  }

  function taken(seeker: Seeker): () => void {
    count(seeker, 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      count(seeker, -1);
      admitAll();
    };
  }

  function enterNow(seeker: Seeker): (() => void) | null {
    // A new seeker does not overtake those of its owner that wait.
    if (queues.waitingLike(seeker) > 0) return null;
    return fits(seeker) ? taken(seeker) : null;
  }

  async function wait(
    seeker: Seeker,
    { wait_ms, waiting_max = Infinity, signal }: WaitOptions,
  ): Promise<() => void> {
    const before = queues.waitingLike(seeker);
    if (before >= waiting_max) throw new BulkheadFull(`${before} wait already`);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        seeker,
        key: keyOf(seeker),
        gives_up_at: performance.now() + wait_ms,
        admit() {
          signal?.removeEventListener("abort", waiting.giveUp);
          resolve(taken(seeker));
        },
        giveUp() {
          signal?.removeEventListener("abort", waiting.giveUp);
          if (queues.remove(waiting))
            reject(new BulkheadFull(`no place was free for ${wait_ms} ms`));
        },
      };
      queues.add(waiting);
      wakeBy(wakesAt(waiting));
      signal?.addEventListener("abort", waiting.giveUp);
    });
  }

  return {
    enterNow,
    async enter(seeker, options = { wait_ms: Infinity }) {
      return enterNow(seeker) ?? wait(seeker, options);
    },
    use({ owner, bounds }, ms) {
      if (owner === null || ms <= 0) return;
      const now = performance.now();
      for (const { used } of bounds) used.set(owner, Math.max(now, used.get(owner) ?? 0) + ms);
      if (queues.isAnyWaiting()) wakeBy(now);
    },
  };
}

/**
 * The waiting seekers, first come first, by owner, rank and bounds; the queue whose turn it is comes
 * first.
 */
function waitingQueues() {
  const queues = new Map<string, Waiting[]>();

  function next(): Waiting | null {
    let best: Waiting | null = null;
    for (const [head] of queues.values())
      if (head && fits(head.seeker) && (!best || isBefore(head, best))) best = head;
    return best;
  }

  return {
    all: () => [...queues.values()].flat(),
    isAnyWaiting: () => queues.size > 0,
    waitingLike: (seeker: Seeker) =>
      queues.size === 0 ? 0 : (queues.get(keyOf(seeker))?.length ?? 0),
    add(waiting: Waiting) {
      const queue = queues.get(waiting.key);
      if (queue) queue.push(waiting);
      else queues.set(waiting.key, [waiting]);
    },
    /** False for one that no longer waits. */
    remove(waiting: Waiting): boolean {
      const queue = queues.get(waiting.key) ?? [];
      const place = queue.indexOf(waiting);
      if (place < 0) return false;
      queue.splice(place, 1);
      if (queue.length === 0) queues.delete(waiting.key);
      return true;
    },
    /** Removes the seeker that is admitted next, if there is a slot; the other queues are then next. */
    shift(): Waiting | null {
      const first = next();
      const queue = first && queues.get(first.key)!;
      if (!queue) return null;
      queue.shift();
      queues.delete(first.key);
      if (queue.length > 0) queues.set(first.key, queue);
      return first;
    },
  };
}

/**
 * One timer for all that wait, because most are admitted long before they time out. Takes the moment of a
 * deadline, by `performance.now()`; fires at the earliest one, once.
 */
function alarm(ring: () => void): (moment: number) => void {
  let set: { moment: number; timer: NodeJS.Timeout } | null = null;
  return (moment) => {
    if (moment === Infinity || (set && set.moment <= moment)) return;
    clearTimeout(set?.timer);
    const rings = () => {
      set = null;
      ring();
    };
    set = { moment, timer: setTimeout(rings, Math.max(0, Math.ceil(moment - performance.now()))) };
  };
}

function fits({ owner, bounds }: Seeker): boolean {
  return bounds.every((bound) => {
    const free = bound.places - bound.taken;
    if (owner === null) return free > 0;
    const held = bound.held.get(owner) ?? 0;
    return held < bound.each(owner) && held < free && restEnd(bound, owner) === 0;
  });
}

/** By how many ms the owner is ahead of its time. */
export function usedTime({ used }: Bound, owner: string): number {
  const until = used.get(owner);
  if (until === undefined) return 0;
  const ahead = until - performance.now();
  if (ahead > 0) return ahead;
  used.delete(owner);
  return 0;
}

/** When the owner may have a slot again, by `performance.now()`; 0 when it may have one now. */
function restEnd(bound: Bound, owner: string): number {
  return usedTime(bound, owner) > aheadMs ? bound.used.get(owner)! - aheadMs : 0;
}

/** The next moment at which the wait may end although no slot is released. */
function wakesAt({ seeker: { owner, bounds }, gives_up_at }: Waiting): number {
  const ends = owner === null ? [] : bounds.map((bound) => restEnd(bound, owner));
  return Math.min(gives_up_at, ...ends.filter((end) => end > 0));
}

function isBefore({ seeker: one }: Waiting, { seeker: other }: Waiting): boolean {
  return one.rank === other.rank ? heldBy(one) < heldBy(other) : one.rank < other.rank;
}

function heldBy({ owner, bounds }: Seeker): number {
  return owner === null ? 0 : Math.max(...bounds.map(({ held }) => held.get(owner) ?? 0));
}

function count({ owner, bounds }: Seeker, change: 1 | -1): void {
  for (const bound of bounds) {
    bound.taken += change;
    if (owner === null) continue;
    const held = (bound.held.get(owner) ?? 0) + change;
    if (held > 0) bound.held.set(owner, held);
    else bound.held.delete(owner);
  }
}

/** Seekers with one key wait for the same. */
function keyOf({ rank, owner, bounds }: Seeker): string {
  return `${rank} ${owner ?? ""} ${bounds.map(({ name }) => name).join(" ")}`;
}
