import type { Platform } from "../../context.ts";
import { pause } from "../../database/retry.ts";
import { timeUsed } from "../../domain/scheduling/neighbours.ts";
import type { Loop } from "../../jobs/loops.ts";
import { runNext } from "./run-imports.ts";

/** What others may use of imports. */
export { importProducts, type ImportError } from "./import-file.ts";
export { formats, type Format } from "./sources/source-row.ts";

/** What the worker does for imports. */
export function importLoops(platform: Platform): Loop[] {
  return [{ name: "imports.run", every_ms: 500, run: (signal) => runPart(platform, signal) }];
}

/** A part of an import keeps the event loop and the database busy; between two, other accounts have their time. */
async function runPart(platform: Platform, signal: AbortSignal): Promise<boolean> {
  const begun = performance.now();
  const account_id = await runNext(platform);
  if (account_id === null) return false;
  await pause(timeUsed(account_id, performance.now() - begun), signal);
  return true;
}
