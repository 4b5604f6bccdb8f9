import type { Static } from "typebox";
import type { AccountContext } from "../../context.ts";
import { readCriteria } from "../../domain/criteria/read-criteria.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { readActions } from "../../domain/rules/read-actions.ts";
import { subjectOf, triggers, type Trigger } from "../../domain/rules/triggers.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { RuleFrame, StrictRuleFrame } from "./schemas.ts";
import type { RuleContent } from "../../automation/store.ts";

const priorityByDefault = 100;

/**
 * Reads the body of POST or, strictly, of PUT. Throws one 422 for everything that is wrong with its other
 * fields, with each condition and with each action. Whether its filter exists is checked when it is saved.
 */
export function readRule(
  ctx: AccountContext,
  body: unknown,
  options: { strict: boolean },
): RuleContent {
  const { content, problems } = ruleIn(ctx, body, options);
  throwIfAny(problems);
  return content!;
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
