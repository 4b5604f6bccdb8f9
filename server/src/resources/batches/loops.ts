import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { combineNext } from "./combine/combine-batch.ts";
import { batchQueue } from "../../purchasing/queue/batch-queue.ts";
import { tidyBatches } from "../../purchasing/queue/finish-batch.ts";
import { pollEveryMs, runQueue } from "../../purchasing/queue/run-queue.ts";

/** The worker's loops for batches. */
export function batchLoops(platform: Platform): Loop[] {
  const queue = batchQueue(platform);
  return [
    {
      name: "batches.run",
      every_ms: pollEveryMs,
      async run(signal) {
        await runQueue(platform, queue, signal);
        return false;
      },
    },
    { name: "batches.combine", every_ms: 1000, run: (signal) => combineNext(platform, signal) },
    { name: "batches.tidy", every_ms: 500, run: () => tidyBatches(platform) },
  ];
}
