import { expect, test } from "vitest";
import {
  batchStatesBefore,
  batchStatuses,
  batchTransitions,
  itemStatuses,
  itemTransitions,
  unfinishedBatch,
} from "./batch-states.ts";

/** What the tables say as a whole; that the database keeps to them is walked in `item-store.test.ts`. */

/** Every state that can be reached from this one, itself included. */
function reach<S extends string>(table: Record<S, readonly S[]>, from: S): Set<S> {
  const reached = new Set<S>([from]);
  for (const each of reached) for (const next of table[each]) reached.add(next);
  return reached;
}

test("every state is reached, and from every one the work can come to an end", () => {
  expect(reach(batchTransitions, "open")).toEqual(new Set(batchStatuses));
  expect(reach(itemTransitions, "waiting")).toEqual(new Set(itemStatuses));
  for (const status of batchStatuses)
    expect(reach(batchTransitions, status)).toContain("completed");
  for (const status of itemStatuses) expect(reach(itemTransitions, status)).toContain("succeeded");
});

test("a success is the last word on an item, and on a batch without errors", () => {
  expect(itemTransitions.succeeded).toEqual([]);
  expect(batchTransitions.completed).toEqual([]);
  expect(batchStatesBefore("processing")).toEqual(["open", "completed_with_errors"]);
  expect(batchStatuses.filter((each) => !unfinishedBatch.includes(each))).toEqual([
    "completed",
    "completed_with_errors",
  ]);
});
