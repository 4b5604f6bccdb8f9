import { OneOf } from "../values/schema.ts";

/**
 * The states of a batch and of its items, each as one table (decisions 11 and 22). Transitions not listed
 * are forbidden.
 */

export const batchStatuses = ["open", "processing", "completed", "completed_with_errors"] as const;
export type BatchStatus = (typeof batchStatuses)[number];
export const BatchStatus = OneOf(batchStatuses, { $id: "BatchStatus" });

export const batchTransitions: Record<BatchStatus, readonly BatchStatus[]> = {
  open: ["processing"],
  processing: ["completed", "completed_with_errors"],
  completed: [],
  // Failed items can be tried again; succeeded ones are left alone.
  completed_with_errors: ["processing"],
};

/** Shipments of such a batch belong to no other: its work is still to come, or under way. */
export const unfinishedBatch: readonly BatchStatus[] = ["open", "processing"];

export const itemStatuses = ["waiting", "claimed", "pending", "succeeded", "failed"] as const;
export type ItemStatus = (typeof itemStatuses)[number];

export const itemTransitions: Record<ItemStatus, readonly ItemStatus[]> = {
  waiting: ["claimed"],
  // By a process that buys it now. Waiting again when that process dies before it has begun to buy.
  claimed: ["waiting", "pending", "succeeded", "failed"],
  // Its purchase has an attempt whose outcome is being determined; waiting again if nothing was ever
  // sent.
  pending: ["waiting", "succeeded", "failed"],
  succeeded: [],
  failed: ["waiting", "pending"],
};

/** The states from which `to` can be reached: the condition of a guarded UPDATE. */
export function batchStatesBefore(to: BatchStatus): BatchStatus[] {
  return batchStatuses.filter((from) => batchTransitions[from].includes(to));
}
