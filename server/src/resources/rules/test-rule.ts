import type { Context } from "../../context.ts";
import { explain, type ExplainedGroup } from "../../domain/criteria/explain.ts";
import { matcherOf } from "../../domain/criteria/matches.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { addProblem, invalid, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import {
  runRule,
  type RuleAdapter,
  type Run,
  type SideEffects,
} from "../../domain/rules/run-rules.ts";
import { newId } from "../../domain/values/ids.ts";
import { subjectOf } from "../../domain/rules/triggers.ts";
import { requireVerbScope } from "../../domain/accounts/scopes.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { findFilter } from "../../shipping/filters/store.ts";
import { readNewOrder } from "../orders/service.ts";
import { getOrder } from "../../shipping/orders/store.ts";
import { readNewShipment } from "../../shipping/shipments/new-shipment.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { newShipmentAdapters, orderAdapterOf } from "../../automation/rule-adapters.ts";
import * as store from "../../automation/store.ts";
import { refuseUnlessFit } from "./fitting-filter.ts";
import { ruleIn } from "./read-rule.ts";
import { NewRuleTest, RuleTest, type RuleTested } from "./test-schemas.ts";

/**
 * What a rule would do to one order or shipment, stored or given, if it was the only one: whether each of its
 * conditions holds, and why, and what each action would change. Whether the rule is enabled does not matter,
 * and nothing is changed. Throws 404 for an unknown subject, 422 for the wrong kind.
 */
export async function testRule(ctx: Context, id: string, body: unknown): Promise<RuleTested> {
  const row = await store.getRule(ctx.db, ctx.account.account_id, id);
  throwIfAny(problemsOf(RuleTest, body));
  return testedOn(ctx, row, body as RuleTest);
}

/** The same for a rule that is not saved: the body has it. Throws 422 for what saving it would refuse. */
export async function testNewRule(ctx: Context, body: unknown): Promise<RuleTested> {
  throwIfAny(problemsOf(NewRuleTest, body));
  const { rule, ...asked } = body as RuleTest & { rule: unknown };
  const { content, problems } = ruleIn(ctx, rule, { strict: false });
  if (!content) throw invalid(under("rule", problems));
  const now = ctx.clock.now();
  const { account_id } = ctx.account;
  const ids = { account_id, id: newId("rul", now), created_at: now, updated_at: now };
  return testedOn(ctx, { ...content, ...ids }, asked);
}

async function testedOn(ctx: Context, row: store.RuleRow, asked: RuleTest): Promise<RuleTested> {
  const { account_id } = ctx.account;
  refuseUnlessOne(asked, row);
  const filter =
    row.filter_id === null ? null : await findFilter(ctx.db, account_id, row.filter_id);
  if (row.filter_id !== null) refuseUnlessFit(filter, row, "rule.filter_id");
  const rule = { row, criteria: filter?.criteria ?? row.criteria };
  if (subjectOf(row.trigger) === "orders")
    return tested(rule, await anOrder(ctx, asked), orderAdapterOf(ctx));
  const shipment = await aShipment(ctx, asked);
  return tested(rule, shipment, newShipmentAdapters(ctx)(shipment));
}

const fieldsOf = {
  orders: ["order_id", "order"],
  shipments: ["shipment_id", "shipment"],
} as const;

function refuseUnlessOne(asked: RuleTest, { trigger }: store.RuleRow): void {
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
  throwIfAny(problems);
}

async function anOrder(ctx: Context, { order_id, order }: RuleTest) {
  if (order_id != null) {
    requireVerbScope(ctx, "orders:read");
    return getOrder(ctx.db, ctx.account.account_id, order_id);
  }
  const { row, problems } = readNewOrder(ctx, order);
  if (!row) throw invalid(under("order", problems));
  return row;
}

async function aShipment(ctx: Context, { shipment_id, shipment }: RuleTest) {
  if (shipment_id != null) {
    requireVerbScope(ctx, "shipments:read");
    return getShipment(ctx.db, ctx.account.account_id, shipment_id);
  }
  const { row, problems } = await readNewShipment(ctx, shipment, "rules");
  if (!row) throw invalid(under("shipment", problems));
  return row;
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
  { row, criteria }: { row: store.RuleRow; criteria: Criteria | null },
  subject: D,
  adapter: RuleAdapter<D>,
): RuleTested {
  const reading = adapter.read(subject);
  const conditions: ExplainedGroup | null = criteria && explain(criteria, reading);
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
