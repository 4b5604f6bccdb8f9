import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { ruleLeftovers, ruleQueue } from "../../purchasing/queue/rule-queue.ts";
import { runQueue, tidyQueue } from "../../purchasing/queue/run-queue.ts";

/** The worker's loops for rules. */
export function ruleLoops(platform: Platform): Loop[] {
  const queue = ruleQueue(platform);
  const leftovers = ruleLeftovers(platform);
  return [
    {
      name: "rules.buy",
      every_ms: 300,
      async run(signal) {
        await runQueue(platform, queue, signal);
        return false;
      },
    },
    { name: "rules.tidy", every_ms: 500, run: () => tidyQueue(platform, leftovers) },
  ];
}
