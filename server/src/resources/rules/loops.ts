import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { buyForRules } from "../../purchasing/queue/buy-for-rules.ts";

/** What the worker does for rules. */
export function ruleLoops(platform: Platform): Loop[] {
  return [
    {
      name: "rules.buy",
      every_ms: 300,
      async run(signal) {
        await buyForRules(platform, signal);
        return false;
      },
    },
  ];
}
