import { isSame, type RuleDraft } from "./draft.ts";

/** The parts of a rule that are decided on one by one: conditions are a filter or criteria. */
export const parts = {
  name: ["name"],
  enabled: ["enabled"],
  priority: ["priority"],
  trigger: ["trigger"],
  conditions: ["filter_id", "criteria"],
  actions: ["actions"],
  stop_processing: ["stop_processing"],
} as const satisfies Record<string, readonly (keyof RuleDraft)[]>;

export type Part = keyof typeof parts;
export type Side = "mine" | "theirs";

export interface Versions {
  /** As it was when the editing began. */
  base: RuleDraft;
  /** As it is saved now. */
  theirs: RuleDraft;
  mine: RuleDraft;
}

/**
 * The parts in which the saved rule and the edited one differ, each with the side that is right without a
 * decision: what only one of the two changed is as that one has it, and what both did as the person here has it.
 */
export function differences({ base, theirs, mine }: Versions): Partial<Record<Part, Side>> {
  const names = (Object.keys(parts) as Part[]).filter((part) => !isSamePart(part, mine, theirs));
  return Object.fromEntries(
    names.map((part) => [part, isSamePart(part, mine, base) ? "theirs" : "mine"]),
  );
}

/** The rule with each part of the side that was chosen for it. */
export function merged(
  { theirs, mine }: Pick<Versions, "theirs" | "mine">,
  choice: Partial<Record<Part, Side>>,
): RuleDraft {
  const taken = (Object.keys(parts) as Part[])
    .filter((part) => choice[part] === "theirs")
    .flatMap((part) => parts[part].map((field) => [field, theirs[field]]));
  return { ...mine, ...(Object.fromEntries(taken) as Partial<RuleDraft>) };
}

function isSamePart(part: Part, one: RuleDraft, other: RuleDraft): boolean {
  return parts[part].every((field) => isSame(one[field], other[field]));
}
