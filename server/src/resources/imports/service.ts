import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { runNext } from "./run-imports.ts";

/** What the worker does for imports. */
export function importLoops(platform: Platform): Loop[] {
  return [{ name: "imports.run", every_ms: 500, run: () => runNext(platform) }];
}
