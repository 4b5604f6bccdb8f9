import type { Context } from "../../context.ts";
import { explain, type ExplainedGroup } from "../../domain/criteria/explain.ts";
import { matcherOf } from "../../domain/criteria/matches.ts";
import { ExplainedTree, type Criteria } from "../../domain/criteria/schema.ts";
import {
  addProblem,
  addRuleProblems,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import {
  runRule,
  type RuleAdapter,
  type Run,
  type SideEffects,
} from "../../domain/rules/run-rules.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import { newId } from "../../domain/values/ids.ts";
import { subjectOf, triggers, type Trigger } from "../../domain/rules/triggers.ts";
import { requireVerbScope } from "../../domain/accounts/scopes.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { findFilter } from "../../shipping/filters/store.ts";
import { readNewOrder } from "../orders/service.ts";
import { getOrder, type OrderRow } from "../../shipping/orders/store.ts";
import { readNewShipment } from "../../shipping/shipments/new-shipment.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { newShipmentAdapters, orderAdapterOf } from "../../automation/rule-adapters.ts";
import * as store from "../../automation/store.ts";
import { findNamedFilter, ruleIn } from "./read-rule.ts";
import { NewRuleTest, RuleTest, type RuleTested } from "./test-schemas.ts";

/**
 * What a rule would do to one order or shipment, stored or given, if it was the only one: whether each of its
 * conditions holds, and why, and what each action would change. Whether the rule is enabled does not matter,
 * and nothing is changed. Throws 404 for an unknown subject, 422 for the wrong kind.
 */
export async function testRule(ctx: Context, id: string, body: unknown): Promise<RuleTested> {
  const { account_id } = ctx.account;
  const row = await store.getRule(ctx.db, account_id, id);
  const problems = problemsOf(RuleTest, body);
  const given = await readGiven(ctx, body, { trigger: row.trigger, problems });
  throwIfAny(problems);
  const filter =
    row.filter_id === null ? null : await findFilter(ctx.db, account_id, row.filter_id);
  return testedOn(ctx, { row, criteria: filter?.criteria ?? row.criteria }, given);
}

/** The same for a rule that is not saved: the body has it. Throws 422 for what saving it would refuse. */
export async function testNewRule(ctx: Context, body: unknown): Promise<RuleTested> {
  const problems = problemsOf(NewRuleTest, body);
  const { rule } = (body ?? {}) as { rule?: unknown };
  const { content, problems: ofRule } = ruleIn(ctx, rule, { strict: false });
  const filter = await findNamedFilter(ctx, ofRule, rule);
  if (!problems[""]) addRuleProblems(problems, under("rule", ofRule));
  const named = (rule as { trigger?: unknown } | null | undefined)?.trigger;
  const trigger = triggers.find((each) => each === named) ?? null;
  const given = await readGiven(ctx, body, { trigger, problems });
  throwIfAny(problems);
  const now = ctx.clock.now();
  const { account_id } = ctx.account;
  const ids = { account_id, id: newId("rul", now), created_at: now, updated_at: now };
  const row = { ...content!, ...ids };
  return testedOn(ctx, { row, criteria: filter?.criteria ?? row.criteria }, given);
}

/** A rule, and its own criteria or those of its filter. */
interface TestedRule {
  row: store.RuleRow;
  criteria: Criteria | null;
}

async function testedOn(ctx: Context, rule: TestedRule, given: Given): Promise<RuleTested> {
  const { account_id } = ctx.account;
  const { order_id, shipment_id } = given.asked;
  if (subjectOf(rule.row.trigger) === "orders") {
    if (!given.order) requireVerbScope(ctx, "orders:read");
    const order = given.order ?? (await getOrder(ctx.db, account_id, order_id!));
    return tested(rule, order, orderAdapterOf(ctx));
  }
  if (!given.shipment) requireVerbScope(ctx, "shipments:read");
  const shipment = given.shipment ?? (await getShipment(ctx.db, account_id, shipment_id!));
  return tested(rule, shipment, newShipmentAdapters(ctx)(shipment));
}

/** What the body names, and the order or shipment that it has in place of a stored one. */
interface Given {
  asked: RuleTest;
  order: OrderRow | null;
  shipment: ShipmentRow | null;
}

/** Reads the subject of the body, and adds its problems. While the trigger is wrong, either kind is read. */
async function readGiven(
  ctx: Context,
  body: unknown,
  { trigger, problems }: { trigger: Trigger | null; problems: Problems },
): Promise<Given> {
  const asked = (body ?? {}) as RuleTest;
  if (problems[""]) return { asked, order: null, shipment: null };
  if (trigger) addRuleProblems(problems, choiceProblems(asked, trigger));
  const order = asked.order == null || problems["order"] ? null : readNewOrder(ctx, asked.order);
  const shipment =
    asked.shipment == null || problems["shipment"]
      ? null
      : await readNewShipment(ctx, asked.shipment, "rules");
  addRuleProblems(problems, under("order", order?.problems ?? {}));
  addRuleProblems(problems, under("shipment", shipment?.problems ?? {}));
  return { asked, order: order?.row ?? null, shipment: shipment?.row ?? null };
}

const fieldsOf = {
  orders: ["order_id", "order"],
  shipments: ["shipment_id", "shipment"],
} as const;

/** Exactly one subject of the kind that the trigger is about is to be named. */
function choiceProblems(asked: RuleTest, trigger: Trigger): Problems {
  const kind = subjectOf(trigger);
  const problems: Problems = {};
  for (const field of fieldsOf[kind === "orders" ? "shipments" : "orders"])
    if (asked[field] != null)
      addProblem(problems, field, `is not for a rule of ${trigger}, which is about ${kind}.`);
  const [stored, given] = fieldsOf[kind];
  if (asked[stored] != null && asked[given] != null)
    addProblem(problems, given, `must not be combined with ${stored}.`);
  if (asked[stored] == null && asked[given] == null && Object.keys(problems).length === 0)
    addProblem(problems, stored, `or ${given} is required.`);
  return problems;
}

function under(field: string, problems: Problems): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([path, texts]) => [
      path === "" ? field : `${field}.${path}`,
      texts,
    ]),
  );
}

function tested<D extends object>(
  { row, criteria }: TestedRule,
  subject: D,
  adapter: RuleAdapter<D>,
): RuleTested {
  const reading = adapter.read(subject);
  const conditions: ExplainedGroup | null =
    criteria && inOrderOf(ExplainedTree, explain(criteria, reading));
  const matched = criteria ? matcherOf(criteria)(reading) : true;
  if (!matched) return { matched, conditions, status: null, actions: [], error: null };
  const ready = { ...row, rule_id: row.id, rule_name: row.name, matches: null };
  const acted = runRule(ready, { draft: subject, batch: null, purchase: null }, adapter);
  const { status, error } = acted.run;
  return { matched, conditions, status, actions: actionsOf(row, acted), error };
}

/** What each action changes, and its further effects. */
function actionsOf(
  { actions }: store.RuleRow,
  { run, sideEffects }: { run: Run; sideEffects: SideEffects },
): RuleTested["actions"] {
  return actions.map((action, place) => {
    const own = run.changes.filter((change) => change.action === place);
    const changes = own.map(({ field, before, after }) => ({ field, before, after }));
    if (action.type === "add_to_batch" && sideEffects.batch)
      changes.push({ field: "batch_name", before: null, after: action.name });
    if (action.type === "buy_label" && sideEffects.purchase)
      changes.push({ field: "purchase", before: null, after: { max_total: action.max_total } });
    return { type: action.type, changes };
  });
}
