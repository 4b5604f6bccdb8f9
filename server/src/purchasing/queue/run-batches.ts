import type { Platform } from "../../context.ts";
import { onBehalfOf } from "../../database/driver/on-behalf-of.ts";
import { pause } from "../../database/retry.ts";
import { buyItem } from "./buy-item.ts";
import { finishBatch } from "./finish.ts";
import { itemEnds, type ItemEnds } from "./item-ends.ts";
import { claimItems, listRuns, releaseOthers, type ClaimedItem } from "./item-store.ts";
import { newFairScheduler, type BatchQueue, type FairScheduler } from "./fair-scheduler.ts";

/**
 * Buys the labels of every batch that is being processed, together with all other workers, until there
 * is nothing left that this process could do, or until it stops; then nothing of it is under way.
 */
export async function runBatches(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, process_id } = platform;
  const runs = await listRuns(db);
  if (runs.length === 0) return;
  // We have nothing under way: what is claimed in our name was claimed by a lost answer.
  await releaseOthers(db, process_id, []);
  const round = beginRound(platform, signal);
  round.refresh(runs);
  try {
    let lookedAt = performance.now();
    while (!signal.aborted) {
      if (performance.now() - lookedAt >= lookEveryMs) {
        round.refresh(await listRuns(db));
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

/** How soon a batch that was just handed over is begun, and a suspended account's stopped. */
export const lookEveryMs = 200;

function beginRound(platform: Platform, signal: AbortSignal) {
  const { db, process_id } = platform;
  const scheduler = newFairScheduler(platform);
  const ends = itemEnds(platform, signal);
  const turns = new Set<Promise<void>>();
  let underWay = 0;
  let ended = Promise.withResolvers<void>();

  function startAll(): void {
    if (signal.aborted) return;
    for (let turn = scheduler.next(); turn; turn = scheduler.next()) start(turn);
  }

  function start({ queue, item }: { queue: BatchQueue; item: ClaimedItem }): void {
    underWay++;
    const turn = take(platform, { scheduler, ends, queue, item, leave }).finally(() =>
      turns.delete(turn),
    );
    turns.add(turn);
  }

  function leave(queue: BatchQueue): void {
    underWay--;
    scheduler.leave(queue);
    startAll();
    ended.resolve();
  }

  function giveBack(items: readonly ClaimedItem[]): void {
    for (const item of items) {
      const back = ends.write({ ...keyOf(item), end: unbegun }).finally(() => turns.delete(back));
      turns.add(back);
    }
  }

  return {
    refresh: (runs: Parameters<FairScheduler["refresh"]>[0]) => giveBack(scheduler.refresh(runs)),

    async claim() {
      for (const { queue, limit } of scheduler.needingItems()) {
        const { account_id, batch_id } = queue.run;
        scheduler.fill(
          queue,
          await claimItems(db, { account_id, batch_id, process_id, limit }),
          limit,
        );
        startAll();
      }
    },

    isIdle: () => underWay === 0,

    async untilSomethingEnds() {
      await Promise.race([ended.promise, pause(lookEveryMs, signal)]);
      ended = Promise.withResolvers();
    },

    async end() {
      giveBack(scheduler.clear());
      while (turns.size > 0) await Promise.allSettled(turns);
    },
  };
}

const unbegun = { status: "unsettled", pause_seconds: 0, is_try: false } as const;

interface Taken {
  scheduler: FairScheduler;
  ends: ItemEnds;
  queue: BatchQueue;
  item: ClaimedItem;
  leave(queue: BatchQueue): void;
}

/** One item's turn. Its place is free once it is bought; the batch may end once that is written. */
async function take(
  platform: Platform,
  { scheduler, ends, queue, item, leave }: Taken,
): Promise<void> {
  const end = await onBehalfOf(item.account_id, () => buyItem(queue.ctx, queue.run, item));
  leave(queue);
  if (end) await ends.write({ ...keyOf(item), end });
  if (!scheduler.isFinished(queue)) return;
  const { account_id, batch_id } = queue.run;
  await finishBatch(platform, account_id, batch_id).catch((error: unknown) =>
    // Whoever tidies up next ends it.
    platform.log.warn({ batch_id, err: error }, "batch.not_ended"),
  );
}

function keyOf({ account_id, batch_id, shipment_id }: ClaimedItem) {
  return { account_id, batch_id, shipment_id };
}
