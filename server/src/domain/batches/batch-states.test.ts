import { expect, test } from "vitest";
import {
  batchStatesBefore,
  batchStatuses,
  batchTransitions,
  itemStatuses,
  itemTransitions,
  unfinishedBatch,
} from "./batch-states.ts";

/** Properties of the tables as a whole; that the database enforces them is tested in `item-store.test.ts`. */

/** Every state that can be reached from this one, itself included. */
function reach<S extends string>(table: Record<S, readonly S[]>, from: S): Set<S> {
  const reached = new Set<S>([from]);
  for (const each of reached) for (const next of table[each]) reached.add(next);
  return reached;
}

test("every state is reachable, and from every one the work can end", () => {
  expect(reach(batchTransitions, "open")).toEqual(new Set(batchStatuses));
  expect(reach(itemTransitions, "waiting")).toEqual(new Set(itemStatuses));
  for (const status of batchStatuses)
    expect(reach(batchTransitions, status)).toContain("completed");
  for (const status of itemStatuses) expect(reach(itemTransitions, status)).toContain("succeeded");
});

test("success is final for an item, and for a batch without errors", () => {
  expect(itemTransitions.succeeded).toEqual([]);
  expect(batchTransitions.completed).toEqual([]);
  expect(batchStatesBefore("processing")).toEqual(["open", "completed_with_errors"]);
  expect(batchStatuses.filter((each) => !unfinishedBatch.includes(each))).toEqual([
    "completed",
    "completed_with_errors",
  ]);
});
