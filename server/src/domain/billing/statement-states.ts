import { OneOf } from "../values/schema.ts";

/** The life of a billing statement as one table (decisions 17 and 22). Whatever is not here is forbidden. */

export const statementStatuses = ["open", "generating", "ready"] as const;
export type StatementStatus = (typeof statementStatuses)[number];
export const StatementStatus = OneOf(statementStatuses, { $id: "StatementStatus" });

export const statementTransitions: Record<StatementStatus, readonly StatementStatus[]> = {
  // The month goes on: what it comes to is counted whenever somebody asks.
  open: ["generating"],
  // It is over, and what it comes to is fixed; the files are being made.
  generating: ["ready"],
  ready: [],
};
