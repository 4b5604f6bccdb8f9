import { expect, test } from "vitest";
import { moved } from "./places.ts";

const list = (...priorities: number[]) =>
  priorities.map((priority, index) => ({ id: `${index}`, priority }));

/** The ids in the order in which the API would act by them, the older one first of equals. */
const order = (rules: { id: string; priority: number }[], changes: ReturnType<typeof moved>) =>
  rules
    .map((rule) => changes.find(({ id }) => id === rule.id) ?? rule)
    .sort((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)
    .join("");

test("a rule that has room between its neighbours changes alone", () => {
  const rules = list(10, 20, 30);
  expect(moved(rules, 2, 1)).toEqual([{ id: "2", priority: 15 }]);
  expect(moved(rules, 0, 2)).toEqual([{ id: "0", priority: 40 }]);
  expect(order(rules, moved(rules, 2, 0))).toBe("201");
});

test("equal and neighbouring priorities are spread so that each place is taken", () => {
  for (const rules of [list(100, 100, 100, 100), list(0, 1, 2, 3), list(0, 0, 5, 5)])
    for (let from = 0; from < 4; from++)
      for (let to = 0; to < 4; to++) {
        const wanted = ["0", "1", "2", "3"];
        wanted.splice(to, 0, ...wanted.splice(from, 1));
        expect(order(rules, moved(rules, from, to))).toBe(wanted.join(""));
      }
});

test("no priority is below zero", () => {
  const changes = moved(list(0, 5), 1, 0);
  expect(changes.every(({ priority }) => priority >= 0)).toBe(true);
});
