import { expect, test } from "vitest";
import {
  isOpen,
  partStatesBefore,
  partTransitions,
  pickupStatuses,
  pickupStatusOf,
  type PartStatus,
  type PickupStatus,
} from "./pickup-states.ts";

const states = Object.keys(partTransitions) as PartStatus[];

test("the states of a part are exactly these", () => {
  const moves = states.flatMap((from) => partTransitions[from].map((to) => `${from} → ${to}`));
  expect(moves).toEqual([
    "scheduled → confirmed",
    "scheduled → failed",
    "confirmed → cancelling",
    "confirmed → picked_up",
    "cancelling → cancelled",
    "cancelling → confirmed",
  ]);
});

test("the predecessors of a part's state are the inverted table", () => {
  for (const to of states)
    for (const from of states)
      expect(partStatesBefore(to).includes(from)).toBe(partTransitions[from].includes(to));
});

test("a part ends where no carrier may come any more, and only there", () => {
  const ends = states.filter((state) => partTransitions[state].length === 0);
  expect(ends.toSorted()).toEqual(states.filter((state) => !isOpen(state)).toSorted());
});

/** With one part, a pickup has that part's status; a pending cancellation has not happened yet. */
test.each(states)("a pickup of one carrier whose part is %s", (state) => {
  expect(pickupStatusOf([state])).toBe(state === "cancelling" ? "confirmed" : state);
});

const all = function* (count: number): Generator<PartStatus[]> {
  if (count === 0) yield [];
  else for (const rest of all(count - 1)) for (const state of states) yield [state, ...rest];
};

/** The possible transitions of a pickup; a part's transition never reverts a pickup. */
const pickupMoves: Record<PickupStatus, readonly PickupStatus[]> = {
  scheduled: ["scheduled", "confirmed", "picked_up", "cancelled", "failed"],
  confirmed: ["confirmed", "picked_up", "cancelled"],
  picked_up: [],
  failed: [],
  cancelled: [],
};

test("every move of one of up to three parts moves the pickup forward, or leaves it", () => {
  let walked = 0;
  for (const count of [1, 2, 3])
    for (const parts of all(count))
      for (const [place, from] of parts.entries())
        for (const to of partTransitions[from]) {
          const next = parts.with(place, to);
          expect([parts, pickupMoves[pickupStatusOf(parts)]]).toEqual([
            parts,
            expect.arrayContaining([pickupStatusOf(next)]),
          ]);
          walked++;
        }
  expect(walked).toBeGreaterThan(600);
});

test("every status is some combination's", () => {
  const reached = new Set([...all(2)].map(pickupStatusOf));
  expect([...reached].sort()).toEqual([...pickupStatuses].sort());
});
