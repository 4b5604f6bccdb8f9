import { kindsOf } from "../../domain/criteria/fields.ts";
import { invalid, type ApiError } from "../../domain/errors/errors.ts";
import { subjectOf, type Trigger } from "../../domain/rules/triggers.ts";
import type { FilterRow } from "../../shipping/filters/store.ts";

const noSuchFilter = "names no filter of this account.";

/**
 * Why a rule of this trigger cannot have the filter: it is not there, or selects something else than the trigger is
 * about. Null when it can, also while the trigger is wrong.
 */
export function filterProblem(filter: FilterRow | null, trigger: Trigger | null): string | null {
  if (!filter) return noSuchFilter;
  const kind = trigger && subjectOf(trigger);
  if (!kind || kindsOf(filter.target).includes(kind)) return null;
  return `names a filter of ${filter.target}; ${trigger} is about ${kind}.`;
}

/** Throws 422 where a rule cannot have its filter. */
export function refuseUnlessFit(filter: FilterRow | null, trigger: Trigger): void {
  const problem = filterProblem(filter, trigger);
  if (problem !== null) throw invalid({ filter_id: [problem] });
}

/** The 422 of a filter that is not there. */
export function noFilter(): ApiError {
  return invalid({ filter_id: [noSuchFilter] });
}
