import { isDeepStrictEqual } from "node:util";
import type { Matcher } from "../criteria/matches.ts";
import type { Reading } from "../criteria/reading.ts";
import { ApiError, type ErrorBody } from "../errors/errors.ts";
import { startTimeSlice, type YieldIfDue } from "../scheduling/time-slices.ts";
import type { Action, ActionOf } from "./actions.ts";
import { RuleFailure } from "./rule-failure.ts";
import { noEffects, type RuleEffects, type RuleRef } from "./rule-effects.ts";
import type { Trigger } from "./triggers.ts";
import { fromCents } from "../values/money.ts";

/**
 * Evaluates rules on one subject, in order, and applies the actions of those that match (decision 16).
 * Each rule sees the effects of those before it. A rule acts as a whole or not at all: where one of its
 * actions is impossible, its run has the error and the subject stays unchanged.
 */

export interface ReadyRule extends RuleRef {
  trigger: Trigger;
  /** Null for a rule that always acts. */
  matches: Matcher | null;
  actions: readonly Action[];
  stop_processing: boolean;
}

/** An action's change of a field of its subject. */
export interface RunChange {
  /** The action's index in the rule. */
  action: number;
  type: Action["type"];
  field: string;
  before: unknown;
  after: unknown;
}

export interface Run extends RuleRef {
  trigger: Trigger;
  status: "applied" | "failed" | "rejected";
  changes: RunChange[];
  error: ErrorBody | null;
}

/** Effects of rules beyond the fields of the subject: the caller applies them. */
export interface SideEffects {
  batch: { name: string; run: Run; action: number } | null;
  purchase: { max_total_cents: number; run: Run } | null;
}

export interface Ruled<D> extends SideEffects {
  draft: D;
  runs: Run[];
  rejection: ApiError | null;
}

export interface RuleAdapter<D> {
  read(draft: D): Reading;
  change(draft: D, action: Action, rule: RuleRef): Partial<D>;
  /** Adds the action's effects beyond the fields of the subject. Throws a `RuleFailure`. */
  noteSideEffect(
    state: { draft: D; sideEffects: SideEffects },
    action: Action,
    at: { run: Run; place: number },
  ): void;
  /** Throws the problems for which a changed subject cannot be stored. */
  validate(draft: D, changes: readonly RunChange[]): void;
  /** Called with an error that is no refusal, and so a bug. */
  onBug(error: unknown, rule: RuleRef): void;
}

/**
 * Applies all rules to a subject. Hundreds of rules take their time: it yields the event loop between
 * two.
 */
export async function runRules<D extends object>(
  rules: readonly ReadyRule[],
  subject: D,
  adapter: RuleAdapter<D>,
  yieldIfDue: YieldIfDue = startTimeSlice(),
): Promise<Ruled<D>> {
  // Validated once, as all of them leave it; only if that fails, again after each rule to find the one.
  const unchecked = await runAll(rules, subject, {
    adapter: { ...adapter, validate: () => undefined },
    yieldIfDue,
  });
  const changes = unchecked.runs.flatMap((run) => run.changes);
  return canBeKept(unchecked.draft, changes, adapter)
    ? unchecked
    : runAll(rules, subject, { adapter, yieldIfDue });
}

function canBeKept<D>(draft: D, changes: readonly RunChange[], adapter: RuleAdapter<D>): boolean {
  if (changes.length === 0) return true;
  try {
    adapter.validate(draft, changes);
    return true;
  } catch {
    return false;
  }
}

async function runAll<D extends object>(
  rules: readonly ReadyRule[],
  subject: D,
  { adapter, yieldIfDue }: { adapter: RuleAdapter<D>; yieldIfDue: YieldIfDue },
): Promise<Ruled<D>> {
  const ruled: Ruled<D> = {
    draft: subject,
    runs: [],
    batch: null,
    purchase: null,
    rejection: null,
  };
  let reading = adapter.read(subject);
  // A stop ends the rules of its own trigger only: a batch's rules are not a purchase's.
  const stopped = new Set<Trigger>();
  for (const rule of rules) {
    if (stopped.has(rule.trigger)) continue;
    const others = yieldIfDue();
    if (others) await others;
    if (rule.matches && !rule.matches(reading)) continue;
    const acted = runRule(rule, ruled, adapter);
    // A refused subject was never changed: only the run that refused it is reported.
    if (acted.rejection)
      return {
        ...acted.sideEffects,
        draft: subject,
        runs: [acted.run],
        rejection: acted.rejection,
      };
    ruled.runs.push(acted.run);
    if (acted.draft !== ruled.draft) reading = adapter.read(acted.draft);
    ruled.draft = acted.draft;
    Object.assign(ruled, acted.sideEffects);
    if (rule.stop_processing) stopped.add(rule.trigger);
  }
  return ruled;
}

interface Acted<D> {
  draft: D;
  run: Run;
  sideEffects: SideEffects;
  rejection: ApiError | null;
}

/** Applies one rule that matches, by itself. Never throws. */
export function runRule<D extends object>(
  rule: ReadyRule,
  { draft: before, batch, purchase }: Pick<Ruled<D>, "draft" | "batch" | "purchase">,
  adapter: RuleAdapter<D>,
): Acted<D> {
  const { rule_id, rule_name, trigger } = rule;
  const run: Run = { rule_id, rule_name, trigger, status: "applied", changes: [], error: null };
  const state = { draft: before, sideEffects: { batch, purchase } };
  try {
    for (const [place, action] of rule.actions.entries()) {
      if (action.type === "reject") return rejected(rule, action, { run, draft: before });
      const change = adapter.change(state.draft, action, rule);
      const changes = changesOf(state.draft, change).map((each) => ({
        action: place,
        type: action.type,
        ...each,
      }));
      if (changes.length > 0) state.draft = { ...state.draft, ...change };
      run.changes.push(...changes);
      adapter.noteSideEffect(state, action, { run, place });
    }
    if (run.changes.length > 0) adapter.validate(state.draft, run.changes);
    return { ...state, run, rejection: null };
  } catch (error) {
    const failed: Run = { ...run, status: "failed", changes: [], error: bodyOf(error) };
    if (failed.error?.code === "internal_error") adapter.onBug(error, rule);
    return { draft: before, run: failed, sideEffects: { batch, purchase }, rejection: null };
  }
}

function rejected<D>(
  { rule_id, rule_name }: ReadyRule,
  { message }: ActionOf<"reject">,
  { run, draft }: { run: Run; draft: D },
): Acted<D> {
  const rejection = new ApiError("rejected_by_rule", { message, details: { rule_id, rule_name } });
  const error = rejection.toBody();
  return {
    draft,
    run: { ...run, status: "rejected", changes: [], error },
    sideEffects: { batch: null, purchase: null },
    rejection,
  };
}

function bodyOf(error: unknown): ErrorBody {
  if (error instanceof RuleFailure)
    return { code: "not_applicable", message: error.message, details: {} };
  return (error instanceof ApiError ? error : new ApiError("internal_error")).toBody();
}

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** The differences, field by field; of the rules' effects, by those of their fields that an account knows. */
function changesOf(before: object, change: object): FieldChange[] {
  return Object.entries(change).flatMap(([field, after]) => {
    const was = (before as Record<string, unknown>)[field] ?? null;
    if (field === "rule_terms")
      return changesOf(
        shownEffects((was ?? noEffects) as RuleEffects),
        shownEffects(after as RuleEffects),
      );
    if (isListOfThings(was) && isListOfThings(after) && was.length === after.length)
      return changesOfThings(field, was, after);
    return isDeepStrictEqual(was, after) ? [] : [{ field, before: was, after }];
  });
}

function shownEffects({ exclusions, price_cap }: RuleEffects): object {
  const cap = price_cap && {
    service: price_cap.service,
    max_total: fromCents(price_cap.max_total_cents),
  };
  return { exclusions, price_cap: cap };
}

/** Of a list of things, such as packages, each thing by those of its fields that differ in any of them. */
function changesOfThings(
  field: string,
  was: readonly Thing[],
  now: readonly Thing[],
): FieldChange[] {
  const differs = (name: string) => now.some((each, place) => each[name] !== was[place]![name]);
  const names = Object.keys(now[0] ?? {}).filter(differs);
  if (names.length === 0) return [];
  const only = (each: Thing) => Object.fromEntries(names.map((name) => [name, each[name]]));
  return [{ field, before: was.map(only), after: now.map(only) }];
}

type Thing = Record<string, unknown>;

function isListOfThings(value: unknown): value is Thing[] {
  return Array.isArray(value) && value.every((each) => typeof each === "object" && each !== null);
}
