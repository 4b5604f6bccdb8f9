import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const afterMs = 10_000;

/**
 * Has the heap collected when it has grown by half. V8 lets that of a server that is busy for minutes grow to several
 * times what is in use, as long as the machine has memory (ADR 50).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=50");
}

/**
 * Gives back what only the start needed. Half of the memory of a process that has just started is garbage, which V8 keeps
 * as long as little is allocated. Compiled code is written for the next start, too, which otherwise an orderly end does.
 */
export function tidyAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (options: object) => Promise<void>;
    void collect({ type: "major", execution: "async" }).then(() => flushCompileCache());
  }, afterMs).unref();
}
