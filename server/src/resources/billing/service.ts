import type { Platform } from "../../context.ts";
import type { Loop } from "../../jobs/loops.ts";
import { makeNext } from "./make-files.ts";
import { closeNext, openFirst } from "./months.ts";

export { closeNext, openStatements, timeOfClosing } from "./months.ts";

/** The worker's loops for statements: any number of workers, and each statement is made once. */
export function statementLoops(platform: Platform): Loop[] {
  return [
    {
      name: "statements.months",
      every_ms: 1000,
      run: async () => (await openFirst(platform)) || (await closeNext(platform)),
    },
    { name: "statements.files", every_ms: 1000, run: (signal) => makeNext(platform, signal) },
  ];
}
