import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { combineNext } from "./combine/combine-batch.ts";
import { tidyBatches } from "../../purchasing/queue/finish.ts";
import { lookEveryMs, runBatches } from "../../purchasing/queue/run-batches.ts";

/** What the worker does for batches. */
export function batchLoops(platform: Platform): Loop[] {
  return [
    {
      name: "batches.run",
      every_ms: lookEveryMs,
      async run(signal) {
        await runBatches(platform, signal);
        return false;
      },
    },
    { name: "batches.combine", every_ms: 1000, run: (signal) => combineNext(platform, signal) },
    { name: "batches.tidy", every_ms: 500, run: () => tidyBatches(platform) },
  ];
}
