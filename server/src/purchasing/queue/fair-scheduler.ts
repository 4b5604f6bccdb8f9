import type { Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import { fewestFirst } from "../../domain/scheduling/fewest-first.ts";
import type { PurchaseQueue, QueueContext, QueueJob, QueueSource } from "./queue.ts";

/**
 * The order of jobs. Each source has a queue of jobs that this process has claimed; the next slot goes to the
 * account with the fewest jobs under way, and to its source with the fewest, so that a small batch overtakes
 * a large one, of the same account or another. No account may take all slots.
 */
export interface Line<Source, Job> {
  account_id: string;
  source: Source;
  ctx: QueueContext;
  jobs: Job[];
  under_way: number;
  /** No items are waiting, as far as this process knows. */
  is_exhausted: boolean;
}

export interface Turn<Source, Job> {
  line: Line<Source, Job>;
  job: Job;
}

export interface FairScheduler<Source, Job> {
  /** Sets the current sources. Returns the jobs that were claimed for sources that stopped. */
  refresh(sources: readonly Source[]): Job[];
  /** The sources for which this process has claimed or purchased. */
  sources(): Source[];
  /** The sources that need more jobs, those without any first, and how many each. */
  needingJobs(): { line: Line<Source, Job>; limit: number }[];
  fill(line: Line<Source, Job>, jobs: readonly Job[], limit: number): void;
  /** Begins the next job; null when there is no free slot or no job. */
  next(): Turn<Source, Job> | null;
  /** Ends a job and frees its slot. */
  leave(line: Line<Source, Job>): void;
  /** Whether this process has nothing more to do for the source. */
  isFinished(line: Line<Source, Job>): boolean;
  /** Empties all queues. */
  clear(): Job[];
}

/** Claimed ahead, so that not every job costs the commit of a claim. */
const aheadMax = 16;

/** The next job is of the account with the fewest under way. */
export function newFairScheduler<Source extends QueueSource, Job extends QueueJob>(
  platform: Platform,
  { places, idOf }: Pick<PurchaseQueue<Source, Job>, "places" | "idOf">,
): FairScheduler<Source, Job> {
  const lines = new Map<string, Line<Source, Job>>();
  const order = fewestFirst<Line<Source, Job>>(places);

  function lineOf(source: Source): Line<Source, Job> {
    const ctx = { ...platform, account: accountOf(source.account) };
    const line = lines.get(idOf(source));
    if (line) return Object.assign(line, { source, ctx });
    const { account_id } = source;
    const made = { account_id, source, ctx, jobs: [], under_way: 0, is_exhausted: true };
    lines.set(idOf(source), made);
    return made;
  }

  function drain(line: Line<Source, Job>): Job[] {
    order.withdraw(line);
    return line.jobs.splice(0);
  }

  return {
    refresh(sources) {
      for (const source of sources)
        if (source.has_waiting || lines.has(idOf(source)))
          lineOf(source).is_exhausted = !source.has_waiting;
      const running = new Set(sources.map(idOf));
      const stopped = [...lines.values()].filter(({ source }) => !running.has(idOf(source)));
      for (const line of stopped) line.is_exhausted = true;
      const given = stopped.flatMap(drain);
      for (const [id, line] of lines) if (isFinished(line)) lines.delete(id);
      return given;
    },

    sources: () => [...lines.values()].map(({ source }) => source),

    needingJobs() {
      const share = Math.min(aheadMax, Math.ceil(places.all / Math.max(1, lines.size)));
      return [...lines.values()]
        .filter((line) => !line.is_exhausted && line.jobs.length <= share / 4)
        .sort((a, b) => a.jobs.length - b.jobs.length)
        .map((line) => ({ line, limit: share - line.jobs.length }));
    },

    fill(line, jobs, limit) {
      line.jobs.push(...jobs);
      if (line.jobs.length > 0) order.offer(line);
      line.is_exhausted = jobs.length < limit;
    },

    next() {
      const line = order.next();
      const job = line?.jobs.shift();
      if (!line || !job) return null;
      if (line.jobs.length === 0) order.withdraw(line);
      return { line, job };
    },

    leave: (line) => order.leave(line),

    isFinished,

    clear: () => [...lines.values()].flatMap(drain),
  };
}

function isFinished<Source, Job>(line: Line<Source, Job>): boolean {
  return line.is_exhausted && line.under_way === 0 && line.jobs.length === 0;
}
