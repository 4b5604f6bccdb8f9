import type { Platform } from "../../context.ts";
import { pause } from "../../database/retry.ts";
import { timeUsed } from "../../domain/scheduling/active-accounts.ts";
import type { Loop } from "../../jobs/loops.ts";
import { runNext } from "./run-imports.ts";

/** The parts of imports that others may use. */
export { importProducts, type ImportError } from "./import-file.ts";
export { pruneImportRows } from "./run-store.ts";
export { formats, type Format } from "./sources/source-row.ts";

/** The worker's loops for imports. */
export function importLoops(platform: Platform): Loop[] {
  return [{ name: "imports.run", every_ms: 500, run: (signal) => runPart(platform, signal) }];
}

/** A part of an import occupies the event loop and the database; between two, other accounts' work runs. */
async function runPart(platform: Platform, signal: AbortSignal): Promise<boolean> {
  const begun = performance.now();
  const account_id = await runNext(platform);
  if (account_id === null) return false;
  await pause(timeUsed(account_id, performance.now() - begun), signal);
  return true;
}
