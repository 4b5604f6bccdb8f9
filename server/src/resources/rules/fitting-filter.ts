import { kindsOf } from "../../domain/criteria/fields.ts";
import { invalid, type ApiError } from "../../domain/errors/errors.ts";
import { subjectOf, type Trigger } from "../../domain/rules/triggers.ts";
import type { FilterRow } from "../../shipping/filters/store.ts";

/** Throws 422 at `path` where a rule's filter is not there, or selects something else than its trigger is about. */
export function refuseUnlessFit(
  filter: FilterRow | null,
  { trigger }: { trigger: Trigger },
  path = "filter_id",
): void {
  if (!filter) throw noFilter(path);
  const kind = subjectOf(trigger);
  if (kindsOf(filter.target).includes(kind)) return;
  throw invalid({ [path]: [`names a filter of ${filter.target}; ${trigger} is about ${kind}.`] });
}

/** The 422 of a filter that is not there. */
export function noFilter(path = "filter_id"): ApiError {
  return invalid({ [path]: ["names no filter of this account."] });
}
