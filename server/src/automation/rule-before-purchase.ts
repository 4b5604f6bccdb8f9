import type { AccountContext } from "../context.ts";
import { inTransaction } from "../database/connect.ts";
import { json, type Tx } from "../database/tables.ts";
import { originOf } from "../domain/accounts/principal.ts";
import type { ApiError } from "../domain/errors/errors.ts";
import { noEffects, type RuleEffects } from "../domain/rules/rule-effects.ts";
import { runRules, type ReadyRule, type Ruled } from "../domain/rules/run-rules.ts";
import type { Trigger } from "../domain/rules/triggers.ts";
import { changeShipment, lockShipment, type ShipmentRow } from "../shipping/shipments/store.ts";
import { shipmentAdapterOf } from "./rule-adapters.ts";
import { readyRules, rulesOfVersion } from "./ready-rules.ts";
import { recordRuns, runRows } from "./record-runs.ts";
import { messageOf } from "./rule-messages.ts";

const triggersOf: Record<"shipment" | "batch", readonly Trigger[]> = {
  shipment: ["shipment.before_purchase"],
  batch: ["batch.before_process", "shipment.before_purchase"],
};

/** A purchase may be retried without limit; the newest messages of rules are kept. */
const messagesMax = 100;

/** The account's rules for a purchase by itself or by a batch. */
export async function purchaseRules(
  { db, account }: AccountContext,
  asked_by: "shipment" | "batch",
): Promise<readonly ReadyRule[]> {
  return (await readyRules(db, account.account_id, triggersOf[asked_by])).rules;
}

/** The same where the caller has read their version. */
export async function rulesForPurchase(
  { db, account }: AccountContext,
  asked_by: "shipment" | "batch",
  version: string | null,
): Promise<readonly ReadyRule[]> {
  const triggers = triggersOf[asked_by];
  return (await rulesOfVersion(db, account.account_id, { triggers, version })).rules;
}

/**
 * Lets rules act on a shipment that is about to be purchased, by itself or by its batch, and returns it as
 * they left it. A rule acts on a shipment once: when the purchase is retried after a refusal, the shipment
 * weighs no more than before, and a hold that was lifted is not set again. Throws 422 `rejected_by_rule`.
 */
export async function ruleBeforePurchase(
  ctx: AccountContext,
  row: ShipmentRow,
  rules: readonly ReadyRule[],
): Promise<ShipmentRow> {
  // Most shipments match no rule, and need no transaction.
  if ((await act(ctx, row, rules)).runs.length === 0) return row;
  const acted = await inTransaction(ctx.db, (tx) => actOnStored(ctx, tx, { row, rules }));
  if (acted.rejection) throw acted.rejection;
  return acted.row;
}

async function act(
  ctx: AccountContext,
  row: ShipmentRow,
  rules: readonly ReadyRule[],
): Promise<Ruled<ShipmentRow>> {
  const due = notYetActed(rules, row.rule_terms?.acted ?? []);
  if (due.length === 0)
    return { draft: row, runs: [], batch: null, purchase: null, rejection: null };
  return runRules(due, row, shipmentAdapterOf(ctx));
}

/** Those that have not acted on the shipment, and that are not blocked by one which has. */
function notYetActed(rules: readonly ReadyRule[], acted: readonly string[]): ReadyRule[] {
  const stopped = new Set<Trigger>();
  return rules.filter(({ rule_id, trigger, stop_processing }) => {
    if (stopped.has(trigger)) return false;
    if (!acted.includes(rule_id)) return true;
    if (stop_processing) stopped.add(trigger);
    return false;
  });
}

async function actOnStored(
  ctx: AccountContext,
  tx: Tx,
  { row, rules }: { row: ShipmentRow; rules: readonly ReadyRule[] },
): Promise<{ row: ShipmentRow; rejection: ApiError | null }> {
  const locked = await lockShipment(tx, row.account_id, row.id);
  // Another request has purchased or cancelled it; the caller finds that out.
  if (locked.status !== "draft") return { row: locked, rejection: null };
  const ruled = await act(ctx, locked, rules);
  const { request_id } = ctx;
  const at = ctx.clock.now();
  const runs = runRows(ruled, { subject: locked, type: "shipment", request_id, at });
  const changed = ruled.rejection
    ? locked
    : await changeShipment(tx, locked, {
        ...changeOf(ruled),
        messages: json([...locked.messages, ...runs.map(messageOf)].slice(-messagesMax)),
        updated_at: ctx.clock.now(),
      });
  await recordRuns(tx, runs, originOf(ctx));
  return { row: changed, rejection: ruled.rejection };
}

/** What carriers price or print, and what may be purchased: a change of these invalidates earlier quotes. */
const priced = [
  "from_address",
  "return_address",
  "packages",
  "items",
  "add_ons",
  "incoterm",
  "contents_type",
  "exclusions",
  "on_hold",
];

function changeOf({ draft, runs }: Ruled<ShipmentRow>) {
  const { from_address, return_address, packages, items, rule_terms } = draft;
  const { service, add_ons, incoterm, contents_type, reference, tags, on_hold } = draft;
  const applied = runs.filter(({ status }) => status === "applied");
  const fields = applied.flatMap(({ changes }) => changes.map(({ field }) => field));
  const is_new = fields.some((field) => priced.includes(field));
  const terms = rule_terms ?? noEffects;
  const acted = [...terms.acted, ...applied.map(({ rule_id }) => rule_id)];
  return {
    service,
    add_ons,
    incoterm,
    contents_type,
    reference,
    tags,
    on_hold,
    from_address: json(from_address),
    return_address: json(return_address),
    packages: json(packages),
    items: json(items),
    rule_terms: json({ ...terms, acted } satisfies RuleEffects),
    revision: draft.revision + (is_new ? 1 : 0),
  };
}

/**
 * The effects that rules would add until the purchase, on top of existing ones: so that prices show what can
 * really be purchased. Nothing is changed.
 */
export async function previewRules(
  ctx: AccountContext,
  row: ShipmentRow,
  triggers: readonly Trigger[],
): Promise<RuleEffects | null> {
  const { rules } = await readyRules(ctx.db, ctx.account.account_id, triggers);
  return (await act(ctx, row, rules)).draft.rule_terms;
}
