import type { Static } from "typebox";
import type { AccountContext } from "../../context.ts";
import { readCriteria } from "../../domain/criteria/read-criteria.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { addProblem, invalid, type Problems } from "../../domain/errors/errors.ts";
import { readActions } from "../../domain/rules/read-actions.ts";
import { subjectOf, triggers, type Trigger } from "../../domain/rules/triggers.ts";
import { cleanText } from "../../domain/text/text.ts";
import { idsIn } from "../../domain/validation/given-ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { findFilter, type FilterRow } from "../../shipping/filters/store.ts";
import { filterProblem } from "./fitting-filter.ts";
import { RuleFrame, StrictRuleFrame } from "./schemas.ts";
import type { RuleContent } from "../../automation/store.ts";

const priorityByDefault = 100;

/**
 * Reads the body of POST or, strictly, of PUT. Throws one 422 for everything that is wrong with its fields, with each
 * condition and with each action. A filter that alone is wrong is found when the rule is saved, under its lock.
 */
export async function readRule(
  ctx: AccountContext,
  body: unknown,
  options: { strict: boolean },
): Promise<RuleContent> {
  const { content, problems } = ruleIn(ctx, body, options);
  if (content) return content;
  await findNamedFilter(ctx, problems, body);
  throw invalid(problems);
}

/** The filter that the body of a rule names, if there is one; otherwise the problem is added. */
export async function findNamedFilter(
  { db, account }: AccountContext,
  problems: Problems,
  body: unknown,
): Promise<FilterRow | null> {
  const { filter_id, trigger } = (body ?? {}) as Partial<Record<string, unknown>>;
  const [named] = problems["filter_id"] ? [] : idsIn([filter_id], 1);
  if (!named) return null;
  const filter = await findFilter(db, account.account_id, named.id);
  const problem = filterProblem(filter, triggers.find((each) => each === trigger) ?? null);
  if (problem !== null) addProblem(problems, "filter_id", problem);
  return filter;
}

/** The same without throwing: null beside what is wrong. */
export function ruleIn(
  ctx: AccountContext,
  body: unknown,
  { strict }: { strict: boolean },
): { content: RuleContent | null; problems: Problems } {
  const problems = problemsOf(strict ? StrictRuleFrame : RuleFrame, body);
  // A body that is no object, or one that cannot be stored, is reported already.
  if (typeof body !== "object" || body === null || Array.isArray(body) || problems[""])
    return { content: null, problems };
  const given = body as Static<typeof RuleFrame> & { criteria?: unknown; actions?: unknown };
  const isKept = (field: string) => !Object.keys(problems).some((path) => path.startsWith(field));
  const criteria = isKept("criteria") ? readOwnCriteria(problems, given, strict) : null;
  const actions = isKept("actions")
    ? readActions(problems, given.actions, {
        catalogue: catalogueOf(ctx),
        trigger: triggers.find((each) => each === given.trigger) ?? null,
        strict,
      })
    : [];
  const name = typeof given.name === "string" ? cleanText(given.name) : null;
  if (name === null && !problems["name"]) addProblem(problems, "name", "must not be blank.");
  if (Object.keys(problems).length > 0) return { content: null, problems };
  const content = {
    name: name!,
    enabled: given.enabled ?? true,
    priority: given.priority ?? priorityByDefault,
    trigger: given.trigger,
    filter_id: given.filter_id ?? null,
    criteria,
    actions,
    stop_processing: given.stop_processing ?? false,
  };
  return { content, problems };
}

function readOwnCriteria(
  problems: Problems,
  { criteria, filter_id, trigger }: { criteria?: unknown; filter_id?: unknown; trigger: Trigger },
  strict: boolean,
): Criteria | null {
  if (criteria == null) return null;
  if (filter_id != null) addProblem(problems, "criteria", "must not be combined with filter_id.");
  // While the trigger is wrong, validated for both.
  const target = problems["trigger"] ? "both" : subjectOf(trigger);
  return readCriteria(problems, criteria, { target, path: "criteria", strict });
}

function catalogueOf({ carriers }: AccountContext) {
  return {
    hasCarrier: (code: string) => carriers.find(code) !== undefined,
    hasService: (code: string) => carriers.findService(code) !== undefined,
  };
}
