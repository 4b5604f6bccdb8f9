import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { runNext } from "./run-imports.ts";

/** What others may use of imports. */
export { importProducts, type ImportError } from "./import-file.ts";
export { formats, type Format } from "./sources/source-row.ts";

/** What the worker does for imports. */
export function importLoops(platform: Platform): Loop[] {
  return [{ name: "imports.run", every_ms: 500, run: () => runNext(platform) }];
}
