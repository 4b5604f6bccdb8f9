import { isDeepStrictEqual } from "node:util";
import { originOf } from "../domain/accounts/principal.ts";
import type { AccountContext } from "../context.ts";
import type { Database, Tx } from "../database/tables.ts";
import { invalid } from "../domain/errors/errors.ts";
import type { Action } from "../domain/rules/actions.ts";
import type { ShipmentAction } from "../domain/rules/order-actions.ts";
import { runRules, type ReadyRule, type Ruled } from "../domain/rules/run-rules.ts";
import { mapYielding } from "../domain/scheduling/time-slices.ts";
import type { Validated } from "../http/creation-summary.ts";
import { PlanOutdated } from "../http/creation.ts";
import { placeInOpenBatches } from "../shipping/batches/open-batches.ts";
import type { ShipmentRow } from "../shipping/shipments/store.ts";
import { problemsOfStored } from "../shipping/shipments/stored-entry.ts";
import { refuseTooManyComparisons, runsCounter } from "./work-limits.ts";
import { lacksCodes, newShipmentAdapters } from "./rule-adapters.ts";
import { insertPurchases, type NewPurchase } from "./purchase-store.ts";
import { rulesToPlanBy } from "./ready-rules.ts";
import { recordRuns, runRows } from "./record-runs.ts";
import { messageOf } from "./rule-messages.ts";
import type { RunRow } from "./run-store.ts";
import * as store from "./store.ts";

/** The purpose of a shipment's creation: to be kept as a draft, or to be purchased by the same call. */
export type Purpose = "keep" | "buy";

interface NewShipments {
  rows: readonly ShipmentRow[];
  purpose: Purpose;
}

/** The effects of rules on shipments, by id, and what they were computed from. */
export interface ShipmentPlan {
  version: string | null;
  waiting: ReadonlyMap<string, ShipmentAction[]>;
  ruled: ReadonlyMap<string, Ruled<ShipmentRow>>;
}

/**
 * Computes the effects of the account's rules on shipments that are about to be created: first what rules on
 * their orders left for them, then the rules of `shipment.created`. Before the transaction that creates them,
 * because it may take seconds. A shipment that is purchased by the same call gets no purchase by a rule.
 * Throws 422 `too_many_rows` for more than one call may ask of rules.
 */
export async function planShipments(
  ctx: AccountContext,
  { rows, purpose }: NewShipments,
): Promise<ShipmentPlan> {
  const { account_id } = ctx.account;
  const { version, rules } = await rulesToPlanBy(ctx.db, account_id, {
    trigger: "shipment.created",
    row_count: rows.length,
  });
  const waiting = await waitingFor(ctx.db, rows);
  const complete = completing(ctx);
  if (rules.length === 0 && waiting.size === 0) {
    const refused = rows.some(lacksCodes) ? rows : [];
    const ruled = new Map(refused.map((row) => [row.id, complete(unruled(row))]));
    return { version, waiting, ruled };
  }
  const adapterFor = newShipmentAdapters(ctx);
  await refuseTooManyComparisons(rules, rows, (row) => adapterFor(row).read(row));
  const count = runsCounter(rows.length);
  const ruled = await mapYielding(rows, async (row, place) => {
    const left = rulesLeftBy(waiting.get(row.order_id ?? "") ?? [], row);
    const outcome = complete(await runRules([...left, ...rules], row, adapterFor(row)));
    count(outcome.runs.length, place);
    return purpose === "buy" ? { ...outcome, batch: null, purchase: null } : outcome;
  });
  return { version, waiting, ruled: new Map(ruled.map((each, place) => [rows[place]!.id, each])) };
}

async function waitingFor(
  db: Database | Tx,
  rows: readonly ShipmentRow[],
): Promise<Map<string, ShipmentAction[]>> {
  const orderIds = rows.flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
  if (orderIds.length === 0) return new Map();
  return store.shipmentActionsOf(db, rows[0]!.account_id, orderIds);
}

/**
 * Whether the shipment is to be stored as it is by the plan, without any other consequence: then it is enough that the
 * rules are those that it was made of.
 */
export function isUntouched(row: ShipmentRow, plan: ShipmentPlan): boolean {
  if (row.order_id !== null) return false;
  const ruled = plan.ruled.get(row.id);
  if (!ruled) return true;
  return ruled.draft === row && ruled.runs.length === 0 && ruled.rejection === null;
}

/**
 * Returns each shipment, in order, as it is to be stored, or the refusal of a rule, and writes all other
 * consequences of the plan: batches, runs, labels to be purchased. When the rules have changed since, the transaction
 * fails with the code `plan_outdated`; throws `PlanOutdated` when the actions waiting on an order have.
 */
export async function ruleShipments(
  ctx: AccountContext,
  tx: Tx,
  { rows, plan }: { rows: readonly ShipmentRow[]; plan: ShipmentPlan },
): Promise<Validated<ShipmentRow>[]> {
  await store.refuseUnlessVersion(tx, ctx.account.account_id, plan.version);
  const waiting = await waitingFor(tx, rows);
  const isAsPlanned = rows.every(({ order_id }) =>
    isDeepStrictEqual(waiting.get(order_id ?? ""), plan.waiting.get(order_id ?? "")),
  );
  if (!isAsPlanned) throw new PlanOutdated();
  if (plan.ruled.size === 0) return rows.map((row) => ({ row, error: null }));
  const ruled = rows.map((row) => {
    const planned = plan.ruled.get(row.id)!;
    // Its order's number was found since, and no rule changes it.
    return { ...planned, draft: { ...planned.draft, order_number: row.order_number } };
  });
  await fillBatches(ctx, tx, ruled);
  return write(ctx, tx, { rows, ruled });
}

/**
 * Refuses shipments whose customs lines lacked codes that no rule filled in; then no effect of rules counts.
 */
function completing(ctx: AccountContext) {
  return (ruled: Ruled<ShipmentRow>): Ruled<ShipmentRow> => {
    if (ruled.rejection || !lacksCodes(ruled.draft)) return ruled;
    const problems = problemsOfStored(ctx, ruled.draft);
    if (Object.keys(problems).length === 0) return ruled;
    return { ...unruled(ruled.draft), rejection: invalid(problems) };
  };
}

function unruled(draft: ShipmentRow): Ruled<ShipmentRow> {
  return { draft, runs: [], batch: null, purchase: null, rejection: null };
}

/**
 * The actions that wait on an order, as rules without conditions. A service that the client has named since
 * is not replaced by the one that was chosen when the order was created.
 */
function rulesLeftBy(waiting: readonly ShipmentAction[], { service }: ShipmentRow): ReadyRule[] {
  const rules = new Map<string, ReadyRule & { actions: Action[] }>();
  for (const { rule_id, rule_name, action } of waiting) {
    const chosen = action.type === "set_service" ? (action.service ?? action.strategy) : service;
    if (service !== null && service !== chosen) continue;
    const rule = rules.get(rule_id) ?? { ...always, rule_id, rule_name, actions: [] };
    rule.actions.push(action);
    rules.set(rule_id, rule);
  }
  return [...rules.values()];
}

const always = { trigger: "order.created", matches: null, stop_processing: false } as const;

/** Puts the shipments into the open batches that rules name, and records it in their runs. */
async function fillBatches(
  ctx: AccountContext,
  tx: Tx,
  ruled: readonly Ruled<ShipmentRow>[],
): Promise<void> {
  const wanted = ruled.flatMap(({ draft, batch }) =>
    batch ? [{ name: batch.name, shipment_id: draft.id }] : [],
  );
  if (wanted.length === 0) return;
  const placed = await placeInOpenBatches(ctx, tx, wanted);
  for (const each of ruled) {
    if (!each.batch) continue;
    const batch_id = placed.get(each.draft.id)!;
    each.draft = { ...each.draft, batch_id };
    const { run, action } = each.batch;
    const said = { action, type: "add_to_batch", field: "batch_id" } as const;
    run.changes.push({ ...said, before: null, after: batch_id });
  }
}

async function write(
  ctx: AccountContext,
  tx: Tx,
  { rows, ruled }: { rows: readonly ShipmentRow[]; ruled: readonly Ruled<ShipmentRow>[] },
): Promise<Validated<ShipmentRow>[]> {
  const { request_id } = ctx;
  const at = ctx.clock.now();
  const runs: RunRow[] = [];
  const purchases: NewPurchase[] = [];
  const validated = ruled.map((each, place): Validated<ShipmentRow> => {
    const made = runRows(each, { subject: rows[place]!, type: "shipment", request_id, at });
    runs.push(...made);
    if (each.rejection) return { row: null, error: each.rejection };
    const asking = made.find(({ purchase }) => purchase !== null);
    if (asking && each.purchase) purchases.push(purchaseOf(ctx, asking, each.purchase));
    const messages = [...each.draft.messages, ...made.map(messageOf)];
    return { row: made.length > 0 ? { ...each.draft, messages } : each.draft, error: null };
  });
  await insertPurchases(tx, purchases);
  await recordRuns(tx, runs, originOf(ctx));
  return validated;
}

function purchaseOf(
  ctx: AccountContext,
  { account_id, subject_id, id, rule_id, rule_name, created_at }: RunRow,
  { max_total_cents }: { max_total_cents: number },
): NewPurchase {
  const rule = { rule_id, rule_name };
  const terms = { max_total_cents, not_before: created_at, ...originOf(ctx) };
  return { account_id, shipment_id: subject_id, run_id: id, ...rule, ...terms };
}
