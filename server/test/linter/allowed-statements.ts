import type { Allowed } from "./lint-statement.ts";
import { open } from "./open-exceptions.ts";
import { wanted } from "./wanted-exceptions.ts";

/**
 * The statements that break a rule, and why they may. The list becomes shorter, not longer: a test states its length, and
 * what no statement needs any more fails the run of all tests.
 */
export const allowed: readonly Allowed[] = [...wanted, ...open];

/** How the use of an entry is noted, for the end of a run to compare with all of them. */
export function usageOf(statement: string, broken: string): string {
  return JSON.stringify([statement, broken]);
}

/** Of the list, what is not among those that were used. */
export function staleEntries(used: ReadonlySet<string>): string[] {
  return allowed.flatMap(({ statement, breaks }) =>
    breaks.map((broken) => usageOf(statement, broken)).filter((usage) => !used.has(usage)),
  );
}
