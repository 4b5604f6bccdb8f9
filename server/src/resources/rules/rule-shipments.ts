import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import type { Action } from "../../domain/rules/actions.ts";
import type { ShipmentAction } from "../../domain/rules/order-actions.ts";
import { runRules, type ReadyRule, type Ruled } from "../../domain/rules/run-rules.ts";
import type { Judged } from "../../http/creation.ts";
import { placeInOpenBatches } from "../batches/service.ts";
import type { ShipmentRow } from "../shipments/service.ts";
import { shipmentKitOf, type ProblemsOf } from "./kits.ts";
import { insertPurchases, type NewPurchase } from "./purchases/purchase-store.ts";
import { readyRules } from "./ready-rules.ts";
import { messageOf, runRows } from "./record-runs.ts";
import { insertRuns, type RunRow } from "./run-store.ts";
import * as store from "./store.ts";

/** What a shipment is created for: to lie as a draft, or to be bought by the same call. */
export type Purpose = "keep" | "buy";

interface NewShipments {
  rows: readonly ShipmentRow[];
  purpose: Purpose;
  problemsOf: ProblemsOf;
}

/**
 * What the account's rules make of shipments that are about to be created: what rules about their orders
 * left for them first, then the rules of `shipment.created`. Says of each, in order, as what it is to be
 * kept, or that a rule refuses it, and writes all else that follows: batches, runs, labels to be bought.
 * For a shipment that is bought by the same call, nobody else buys the label.
 */
export async function ruleShipments(
  ctx: AccountContext,
  tx: Tx,
  { rows, purpose, problemsOf }: NewShipments,
): Promise<Judged<ShipmentRow>[]> {
  const { account_id } = ctx.account;
  const rules = await readyRules(tx, account_id, ["shipment.created"]);
  const orderIds = rows.flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
  const waiting =
    orderIds.length > 0
      ? await store.shipmentActionsOf(tx, account_id, orderIds)
      : new Map<string, ShipmentAction[]>();
  if (rules.length === 0 && waiting.size === 0) return rows.map((row) => ({ row, error: null }));
  const kit = shipmentKitOf(ctx, problemsOf);
  const ruled = rows.map((row) => {
    const left = rulesLeftBy(waiting.get(row.order_id ?? "") ?? [], row);
    const outcome = runRules([...left, ...rules], row, kit);
    return purpose === "buy" ? { ...outcome, batch: null, purchase: null } : outcome;
  });
  await fillBatches(ctx, tx, ruled);
  return write(ctx, tx, { rows, ruled });
}

/**
 * The actions that wait on an order, as rules that always act. A service that somebody named since is not
 * replaced by the one that was chosen when the order came.
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

/** Puts the shipments into the open batches that rules name, and says so in their runs. */
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
): Promise<Judged<ShipmentRow>[]> {
  const at = ctx.clock.now();
  const runs: RunRow[] = [];
  const purchases: NewPurchase[] = [];
  const judged = ruled.map((each, place): Judged<ShipmentRow> => {
    const made = runRows(each, { subject: rows[place]!, type: "shipment", at });
    runs.push(...made);
    if (each.rejection) return { row: null, error: each.rejection };
    const asking = made.find(({ purchase }) => purchase !== null);
    if (asking && each.purchase) purchases.push(purchaseOf(asking, each.purchase));
    const messages = [...each.draft.messages, ...made.map(messageOf)];
    return { row: made.length > 0 ? { ...each.draft, messages } : each.draft, error: null };
  });
  await insertPurchases(tx, purchases);
  await insertRuns(tx, runs);
  return judged;
}

function purchaseOf(
  { account_id, subject_id, id, rule_id, rule_name, created_at }: RunRow,
  { max_total_cents }: { max_total_cents: number },
): NewPurchase {
  const rule = { rule_id, rule_name };
  const not_before = created_at;
  return { account_id, shipment_id: subject_id, run_id: id, ...rule, max_total_cents, not_before };
}
