/**
 * A bulkhead: so many places, which those who come share fairly. Whoever finds none waits, and a place that
 * is free again goes to the lowest rank first, then to the owner who holds the fewest, then to who came first.
 *
 * What one owner may hold follows from what is left (dynamic thresholds, as switches share their buffers):
 * he gets another place only while he holds fewer than are free. Alone he has half of them; two who want all
 * have a third each; and however many want all, one who comes finds a place.
 */
export interface Bulkhead {
  /**
   * Resolves with what gives the place back, which may be called again without harm. Rejects with `NoPlace`
   * after waiting so long, or at once when too many of the owner's wait.
   */
  enter(seeker: Seeker, patience?: Patience): Promise<() => void>;
  /** The same without waiting: null when there is no place now. */
  enterNow(seeker: Seeker): (() => void) | null;
}

export interface Seeker {
  /** Null for the platform itself, which nobody has to be protected from. */
  owner: string | null;
  /** Lower goes first. */
  rank: number;
  /** He has to fit into all of them. */
  bounds: readonly Bound[];
}

export interface Patience {
  wait_ms: number;
  /** Of one owner and rank. */
  waiting_max?: number;
  /** Whoever has gone away waits for nothing. */
  signal?: AbortSignal;
}

/** A limit that several kinds of seekers may share. */
export interface Bound {
  readonly name: string;
  readonly places: number;
  readonly each: number;
  taken: number;
  readonly held: Map<string, number>;
}

/** `each` is the most that one owner holds, whatever is free. */
export function aBound(
  name: string,
  places: number,
  { each = places }: { each?: number } = {},
): Bound {
  return { name, places, each, taken: 0, held: new Map() };
}

/** Nothing was done for him. */
export class NoPlace extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoPlace";
  }
}

interface Waiting {
  seeker: Seeker;
  came: number;
  admit(): void;
}

export function bulkhead(): Bulkhead {
  /** Those who wait, first come first, by owner, rank and bounds. */
  const queues = new Map<string, Waiting[]>();
  let came = 0;

  function next(): Waiting | null {
    let best: Waiting | null = null;
    for (const [head] of queues.values())
      if (head && fits(head.seeker) && (!best || isBefore(head, best))) best = head;
    return best;
  }

  function admitAll(): void {
    for (let each = next(); each; each = next()) {
      forget(each);
      each.admit();
    }
  }

  function forget(waiting: Waiting): void {
    const key = keyOf(waiting.seeker);
    const left = queues.get(key)!.filter((each) => each !== waiting);
    if (left.length > 0) queues.set(key, left);
    else queues.delete(key);
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
    // What comes just now does not slip in before those of its owner that wait.
    if (queues.size > 0 && queues.has(keyOf(seeker))) return null;
    return fits(seeker) ? taken(seeker) : null;
  }

  return {
    enterNow,
    async enter(seeker, { wait_ms, waiting_max = Infinity, signal } = { wait_ms: Infinity }) {
      const entered = enterNow(seeker);
      if (entered) return entered;
      const key = keyOf(seeker);
      const queue = queues.get(key) ?? [];
      if (queue.length >= waiting_max) throw new NoPlace(`${queue.length} wait already`);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const waiting = { seeker, came: came++, admit: () => resolve(taken(seeker)) };
      queues.set(key, [...queue, waiting]);
      const giveUp = () => {
        if (!queues.get(key)?.includes(waiting)) return;
        forget(waiting);
        reject(new NoPlace(`no place was free for ${wait_ms} ms`));
      };
      const timer = wait_ms === Infinity ? undefined : setTimeout(giveUp, wait_ms);
      signal?.addEventListener("abort", giveUp);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      }
    },
  };
}

function fits({ owner, bounds }: Seeker): boolean {
  return bounds.every((bound) => {
    const free = bound.places - bound.taken;
    if (owner === null) return free > 0;
    const held = bound.held.get(owner) ?? 0;
    return held < bound.each && held < free;
  });
}

function isBefore(one: Waiting, other: Waiting): boolean {
  const by = (waiting: Waiting) => [waiting.seeker.rank, heldBy(waiting.seeker), waiting.came];
  const [mine, theirs] = [by(one), by(other)];
  const place = mine.findIndex((value, index) => value !== theirs[index]);
  return place >= 0 && mine[place]! < theirs[place]!;
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

/** Those of one key wait for the same. */
function keyOf({ rank, owner, bounds }: Seeker): string {
  return `${rank} ${owner ?? ""} ${bounds.map(({ name }) => name).join(" ")}`;
}
