import type { AccountContext, Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import { inTransaction } from "../../database/connect.ts";
import { onBehalfOf } from "../../database/driver/on-behalf-of.ts";
import { pause } from "../../database/retry.ts";
import type { Tx } from "../../database/tables.ts";
import { isRefused } from "../../database/refusals.ts";
import { ApiError, throwIfAny, type ErrorBody } from "../../domain/errors/errors.ts";
import { fromCents } from "../../domain/values/money.ts";
import { buyAtQuote } from "../labels/buy-at-quote.ts";
import { readyToBuy } from "../labels/buy-label.ts";
import { outcomeOf, outcomeOfAttempt, type PurchaseOutcome } from "../labels/purchase-outcome.ts";
import { primaryQuote } from "../quotes/primary-quote.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { problemsOfStored } from "../../shipping/shipments/stored-entry.ts";
import type { RuleMessage } from "../../automation/record-runs.ts";
import { purchaseRules } from "../../automation/rule-before-purchase.ts";
import * as store from "../../automation/purchase-store.ts";

/** Bought at once by one process. */
const together = 8;
const lookEveryMs = 300;
/** Who names no service is sent by the cheapest. */
const serviceByDefault = "cheapest";

/**
 * Buys labels that rules asked for, after the shipments were created, each as `POST /labels` would and for
 * no more than its rule allows, until there are none left that are due, or the process stops; then nothing
 * of it is under way. Whether a label was bought or not, its shipment and its run say so.
 */
export async function buyForRules(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, process_id, config } = platform;
  const { lease_seconds } = config;
  const underWay = new Map<string, Promise<void>>();
  try {
    while (!signal.aborted) {
      await store.takeOver(db, { process_id, lease_seconds, known: [...underWay.keys()] });
      await endPending(platform);
      const limit = together - underWay.size;
      const claimed = limit > 0 ? await store.claimPurchases(db, { process_id, limit }) : [];
      for (const purchase of claimed) {
        const { shipment_id } = purchase;
        const turn = buyOne(platform, purchase).finally(() => underWay.delete(shipment_id));
        underWay.set(shipment_id, turn);
      }
      if (underWay.size === 0) return;
      await Promise.race([...underWay.values(), pause(lookEveryMs, signal)]);
    }
  } finally {
    await Promise.all(underWay.values());
  }
}

/** Never throws: what could not be written is found by its attempt. */
async function buyOne(platform: Platform, purchase: store.ClaimedPurchase): Promise<void> {
  const ctx: AccountContext = { ...platform, account: accountOf(purchase.account) };
  const end = await onBehalfOf(purchase.account_id, () => buy(ctx, purchase));
  const { db, process_id, log } = platform;
  try {
    if (end?.status === "unsettled") await store.putOff(db, purchase, { process_id, ...end });
    else if (end) await inTransaction(db, (tx) => write(ctx, tx, { purchase, end }));
  } catch (error) {
    log.error({ shipment_id: purchase.shipment_id, err: error }, "rule.end_not_written");
  }
}

/** How it ended; null when it turned out to be another process's. Never throws. */
async function buy(
  ctx: AccountContext,
  purchase: store.ClaimedPurchase,
): Promise<PurchaseOutcome | null> {
  const { account_id, shipment_id, tries, rule_name, max_total_cents } = purchase;
  let stage: "validation" | "rating" | "purchase" = "validation";
  try {
    const found = await getShipment(ctx.db, account_id, shipment_id);
    const row = await readyToBuy(ctx, found, await purchaseRules(ctx, "shipment"));
    throwIfAny(problemsOfStored(ctx, row));
    stage = "rating";
    const quoted = await primaryQuote(ctx, row, { service: row.service ?? serviceByDefault });
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

/** Ends those whose purchase a process began and did not see the end of. */
async function endPending(platform: Platform): Promise<void> {
  await inTransaction(platform.db, async (tx) => {
    for (const purchase of await store.lockOutcomes(tx, 100)) {
      const end = outcomeOfAttempt(purchase, platform.clock.now());
      if (end.status === "unsettled") await store.tryAgain(tx, purchase, end.pause_seconds);
      else await write(platform, tx, { purchase, end });
    }
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
  if (await store.endPurchase(tx, purchase, outcome)) await store.addMessage(tx, purchase, message);
}
