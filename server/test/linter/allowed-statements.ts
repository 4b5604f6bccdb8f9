import type { Allowed } from "./lint-statement.ts";
import { open } from "./open-exceptions.ts";
import { wanted } from "./wanted-exceptions.ts";

/**
 * The statements that break a rule, and why they may. The list should only shrink: a test states its length,
 * and an entry that no statement needs fails the run of all tests.
 */
export const allowed: readonly Allowed[] = [...wanted, ...open];

/** The key by which the use of an entry is recorded, to compare with all entries at the end of a run. */
export function usageOf(statement: string, broken: string): string {
  return JSON.stringify([statement, broken]);
}

/** The entries of the list that were not used. */
export function staleEntries(used: ReadonlySet<string>): string[] {
  return allowed.flatMap(({ statement, breaks }) =>
    breaks.map((broken) => usageOf(statement, broken)).filter((usage) => !used.has(usage)),
  );
}
