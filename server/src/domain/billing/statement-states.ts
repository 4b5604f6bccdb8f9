import { OneOf } from "../values/schema.ts";

/**
 * The states of a billing statement as one table (decisions 17 and 22). Transitions not listed are
 * forbidden.
 */

export const statementStatuses = ["open", "generating", "ready"] as const;
export type StatementStatus = (typeof statementStatuses)[number];
export const StatementStatus = OneOf(statementStatuses, { $id: "StatementStatus" });

export const statementTransitions: Record<StatementStatus, readonly StatementStatus[]> = {
  // The month is not over: its totals are computed on each request.
  open: ["generating"],
  // It is over, and its totals are fixed; the files are being made.
  generating: ["ready"],
  ready: [],
};

/** The states from which `to` can be reached: the condition of a guarded UPDATE. */
export function statementStatesBefore(to: StatementStatus): StatementStatus[] {
  return statementStatuses.filter((from) => statementTransitions[from].includes(to));
}
