import { expect, test } from "vitest";
import { emptyRule } from "./draft.ts";
import { differences, merged } from "./merge.ts";

const base = { ...emptyRule, name: "Old" };

test("what only the other changed is kept, and what was changed here is sent", () => {
  const versions = {
    base,
    theirs: { ...base, name: "Theirs", priority: 7 },
    mine: { ...base, name: "Mine", stop_processing: true },
  };
  const choice = differences(versions);
  expect(choice).toEqual({ name: "mine", priority: "theirs", stop_processing: "mine" });
  expect(merged(versions, choice)).toEqual({
    ...base,
    name: "Mine",
    priority: 7,
    stop_processing: true,
  });
});

test("a filter and criteria are one choice, so that no rule gets both", () => {
  const versions = {
    base,
    theirs: { ...base, criteria: null, filter_id: "flt_1" },
    mine: { ...base, name: "Mine" },
  };
  const choice = differences(versions);
  expect(choice).toEqual({ name: "mine", conditions: "theirs" });
  expect(merged(versions, choice)).toMatchObject({ criteria: null, filter_id: "flt_1" });
});

test("keys in another order are no difference", () => {
  const actions = [{ type: "add_tag" as const, tag: "a" }];
  const turned = [{ tag: "a", type: "add_tag" as const }];
  const theirs = { ...base, actions };
  expect(differences({ base, theirs, mine: { ...base, actions: turned } })).toEqual({});
});
