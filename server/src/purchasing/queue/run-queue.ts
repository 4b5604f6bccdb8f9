import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { onBehalfOf } from "../../database/driver/on-behalf-of.ts";
import { pause } from "../../database/retry.ts";
import { groupedEnds } from "../../jobs/grouped-ends.ts";
import { outcomeOfAttempt, type AttemptOutcome } from "../labels/purchase-outcome.ts";
import { newFairScheduler, type Turn } from "./fair-scheduler.ts";
import type { Ended, Leftovers, PurchaseQueue, QueueJob, QueueSource } from "./queue.ts";

/**
 * Purchases the labels that wait in a queue, concurrently with other workers, until nothing is left for this
 * process, or until it stops. When it resolves, no job is under way.
 */
export async function runQueue<Source extends QueueSource, Job extends QueueJob>(
  platform: Platform,
  queue: PurchaseQueue<Source, Job>,
  signal: AbortSignal,
): Promise<void> {
  const sources = await queue.list([]);
  if (sources.length === 0) return;
  // No job is under way: rows claimed by this process were claimed by a statement whose response was lost.
  await queue.releaseLost();
  const round = beginRound(platform, queue, signal);
  round.refresh(sources);
  try {
    let lookedAt = performance.now();
    // A job whose end could not be written is released when the next round begins; its attempt has the
    // outcome.
    while (!signal.aborted && !round.isGivenUp()) {
      if (performance.now() - lookedAt >= pollEveryMs) {
        round.refresh(await queue.list(round.sources()));
        lookedAt = performance.now();
      }
      await round.claim();
      if (round.isIdle()) return;
      await round.untilSomethingEnds();
    }
  } finally {
    await round.end();
  }
}

/** How soon new jobs are begun, and those of a suspended account are stopped. */
export const pollEveryMs = 200;

function beginRound<Source extends QueueSource, Job extends QueueJob>(
  platform: Platform,
  queue: PurchaseQueue<Source, Job>,
  signal: AbortSignal,
) {
  const scheduler = newFairScheduler<Source, Job>(platform, queue);
  // An end that was never written is read from the attempts by the process that takes over.
  const ends = groupedEnds<Ended<Job>>(
    platform.log,
    { name: queue.name, together: 100, wait_ms: 40, writeAll: (ended) => queue.end(ended) },
    signal,
  );
  const turns = new Set<Promise<void>>();
  let underWay = 0;
  let ended = Promise.withResolvers<void>();

  function startAll(): void {
    if (signal.aborted) return;
    for (let turn = scheduler.next(); turn; turn = scheduler.next()) start(turn);
  }

  function start(begun: Turn<Source, Job>): void {
    underWay++;
    const turn = take(begun).finally(() => turns.delete(turn));
    turns.add(turn);
  }

  /** Runs one job. Its slot is free once it is purchased; its source ends once that is written. */
  async function take({ line, job }: Turn<Source, Job>): Promise<void> {
    const ctx = { ...line.ctx, ...queue.begunBy(line.source, job) };
    const end = await onBehalfOf(job.account_id, () => queue.buy(ctx, line.source, job));
    underWay--;
    scheduler.leave(line);
    startAll();
    ended.resolve();
    if (end) await ends.write({ job, end });
    if (!queue.leave || !scheduler.isFinished(line)) return;
    await queue.leave(line.source).catch((error: unknown) =>
      // The next clean-up does it.
      platform.log.warn({ source: queue.idOf(line.source), err: error }, `${queue.name}.not_ended`),
    );
  }

  function giveBack(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const back = ends.write({ job, end: unbegun }).finally(() => turns.delete(back));
      turns.add(back);
    }
  }

  return {
    sources: () => scheduler.sources(),

    refresh: (sources: readonly Source[]) => giveBack(scheduler.refresh(sources)),

    async claim() {
      for (const { line, limit } of scheduler.needingJobs()) {
        scheduler.fill(line, await queue.claim(line.source, limit), limit);
        startAll();
      }
    },

    isIdle: () => underWay === 0,

    isGivenUp: () => ends.isGivenUp(),

    async untilSomethingEnds() {
      await Promise.race([ended.promise, pause(pollEveryMs, signal)]);
      ended = Promise.withResolvers();
    },

    async end() {
      giveBack(scheduler.clear());
      while (turns.size > 0) await Promise.allSettled(turns);
    },
  };
}

const unbegun = { status: "unsettled", pause_seconds: 0, is_try: false } as const;

/** What one round settles at most: so many jobs of each of so many accounts. */
const settledMax = 200;
const accountsMax = 100;

/**
 * Takes jobs over from dead processes, and ends those whose attempts have ended since, of each account that
 * has some. Returns whether there may be more.
 */
export async function tidyQueue<Pending extends AttemptOutcome>(
  { db, clock }: Pick<Platform, "db" | "clock">,
  leftovers: Leftovers<Pending>,
): Promise<boolean> {
  await leftovers.takeOver();
  const accounts = await leftovers.list(accountsMax);
  let isMore = accounts.length === accountsMax;
  for (const account_id of accounts)
    await inTransaction(db, async (tx) => {
      const pending = await leftovers.lock(tx, account_id, settledMax);
      if (pending.length === 0) return;
      const now = clock.now();
      await leftovers.end(
        tx,
        pending.map((job) => ({ job, end: outcomeOfAttempt(job, now) })),
      );
      isMore ||= pending.length === settledMax;
    });
  return isMore;
}
