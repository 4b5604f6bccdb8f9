import type { AccountContext, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { isRefused } from "../../database/refusals.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { recordEvent, type Event } from "../../events/outbox.ts";
import { ApiError, throwIfAny, type ErrorBody } from "../../domain/errors/errors.ts";
import { fromCents } from "../../domain/values/money.ts";
import { buyAtQuote } from "../labels/buy-at-quote.ts";
import { readyToBuy } from "../labels/buy-label.ts";
import { readToBuy } from "../labels/read-to-buy.ts";
import { outcomeOf, type PurchaseOutcome } from "../labels/purchase-outcome.ts";
import { primaryQuote } from "../quotes/primary-quote.ts";
import { problemsOfStored } from "../../shipping/shipments/stored-entry.ts";
import type { RuleMessage } from "../../automation/rule-messages.ts";
import type { Leftovers, PurchaseQueue } from "./queue.ts";
import * as store from "./rule-store.ts";

/** How many accounts are read in one round. */
const accountsAtOnce = 16;
/** Without a service the cheapest is purchased. */
const serviceByDefault = "cheapest";

/**
 * The labels that rules request, purchased after the shipments were created: an account is a source. The
 * shipment and the rule's run show whether a label was purchased.
 */
export function ruleQueue(
  platform: Platform,
): PurchaseQueue<store.PurchaseSource, store.PurchaseRow> {
  const { db, process_id } = platform;
  let after = "";
  return {
    name: "rule",
    places: { all: 8, of_account: 6 },
    async list(known) {
      const accounts = known.map(({ account_id }) => account_id);
      const limit = accountsAtOnce;
      const sources = await store.listSources(db, { after, limit, known: accounts });
      const next = sources.filter(({ has_waiting }) => has_waiting);
      after = next.length === limit ? next.at(-1)!.account_id : "";
      return sources;
    },
    idOf: ({ account_id }) => account_id,
    claim: ({ account_id }, limit) => store.claimPurchases(db, { account_id, process_id, limit }),
    releaseLost: () => store.releaseLost(db, process_id),
    // `rule_purchases.actor` names whose change of the shipment the rule followed.
    begunBy: (_source, { rule_id, request_id }) => ({
      principal: { kind: "rule", id: rule_id },
      request_id,
    }),
    buy: (ctx, _source, purchase) => buy(ctx, purchase),
    async end(ended) {
      for (const { job, end } of ended)
        if (end.status === "unsettled") await store.putOff(db, job, { process_id, ...end });
        else await inTransaction(db, (tx) => write(platform, tx, { purchase: job, end }));
    },
  };
}

/** Those whose purchase a process began and did not end. */
export function ruleLeftovers(platform: Platform): Leftovers<store.PendingPurchase> {
  const { db, config } = platform;
  return {
    takeOver: () => store.takeOverPurchases(db, config.lease_seconds),
    list: (limit) => store.accountsWithOutcomes(db, limit),
    lock: store.lockOutcomes,
    async end(tx, ended) {
      for (const { job, end } of ended)
        if (end.status === "unsettled") await store.tryAgain(tx, job, end.pause_seconds);
        else await write(platform, tx, { purchase: job, end });
    },
  };
}

/** Buys as `POST /labels` would, for no more than the rule allows. */
async function buy(
  ctx: AccountContext,
  purchase: store.PurchaseRow,
): Promise<PurchaseOutcome | null> {
  const { account_id, shipment_id, tries, rule_name, max_total_cents } = purchase;
  let stage: "validation" | "rating" | "purchase" = "validation";
  try {
    const { row: found, rules, quote } = await readToBuy(ctx, shipment_id);
    const row = await readyToBuy(ctx, found, rules);
    throwIfAny(problemsOfStored(ctx, row));
    stage = "rating";
    const quoted = await primaryQuote(
      ctx,
      row,
      { service: row.service ?? serviceByDefault },
      quote,
    );
    const { total_cents } = quoted.cost;
    if (total_cents > max_total_cents) throw tooDear(total_cents, { rule_name, max_total_cents });
    stage = "purchase";
    await buyAtQuote(ctx, {
      row,
      quoted,
      choice: {},
      idempotency_key: null,
      note: {
        of: { account_id, shipment_id, process_id: ctx.process_id },
        writeAll: store.noteAttempts,
      },
    });
    return { status: "succeeded", cost_cents: total_cents };
  } catch (error) {
    if (isRefused(error, "rule_purchase_lost")) return null;
    if (!(error instanceof ApiError)) ctx.log.error({ shipment_id, err: error }, "rule.not_bought");
    return outcomeOf(error, { stage, carrier: null, tries, now: ctx.clock.now() });
  }
}

function tooDear(
  totalCents: number,
  { rule_name, max_total_cents }: { rule_name: string; max_total_cents: number },
): ApiError {
  const [total, max_total] = [fromCents(totalCents), fromCents(max_total_cents)];
  return new ApiError("rate_changed", {
    message: `The label costs ${total.toFixed(2)}, more than the ${max_total.toFixed(2)} that the rule "${rule_name}" spends.`,
    details: { total, max_total },
  });
}

async function write(
  { clock }: Pick<Platform, "clock">,
  tx: Tx,
  {
    purchase,
    end,
  }: { purchase: store.PurchaseRow; end: Exclude<PurchaseOutcome, { status: "unsettled" }> },
): Promise<void> {
  const max_total = fromCents(purchase.max_total_cents);
  const error: ErrorBody | null =
    end.status === "failed"
      ? { code: end.error.code, message: end.error.message, details: { ...end.error.details } }
      : null;
  const outcome = error
    ? { status: "not_bought" as const, max_total, error }
    : { status: "bought" as const, max_total };
  const { rule_id, run_id, rule_name } = purchase;
  const message: RuleMessage = {
    code: error ? "label_not_bought_by_rule" : "label_bought_by_rule",
    text: error
      ? `The rule "${rule_name}" did not buy the label: ${error.message}`
      : `The rule "${rule_name}" bought the label.`,
    rule_id,
    run_id,
    created_at: clock.now().toISOString(),
  };
  if (!(await store.endPurchase(tx, purchase, outcome))) return;
  await store.addMessage(tx, purchase, message);
  if (error) await recordEvent(tx, failureEvent(purchase, error));
}

function failureEvent(
  { account_id, shipment_id, rule_id, run_id, request_id }: store.PurchaseRow,
  { code }: ErrorBody,
): Event {
  const ids = { rule_id, run_id, shipment_id, order_id: null };
  return {
    account_id,
    type: "rule.failed",
    subject_id: rule_id,
    data: { ...ids, failure_count: 1, error: { code } },
    by: originOf({ principal: { kind: "rule", id: rule_id }, request_id }),
  };
}
