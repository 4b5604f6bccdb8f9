import type { Platform } from "../context.ts";
import { isUniqueViolation } from "../database/connect.ts";
import { listOpenRestores } from "../database/health/restores.ts";
import { bySystem } from "../domain/accounts/principal.ts";
import { fromCents } from "../domain/values/money.ts";
import { perform } from "../outbound/outbound.ts";
import type { ListedCharge, Payments, Reversal } from "../providers/payments/payments.ts";
import { chargeCheck } from "./charge-check.ts";
import { decideCharge, listCharges } from "./charges.ts";
import { nothingPlanned, type Job } from "./job.ts";
import { allPages } from "./lists.ts";
import { isKnownAccount, isUnderReview } from "./store.ts";

const dayMs = 86_400_000;
/** A week, so that a platform that was down for a few days misses nothing. */
const sinceDays = 7;
/** The outcome of younger charges is still being looked up, or reversed, by recovery. */
const settledAfterDays = 2;

/**
 * Compares the card processors' records of the last days with the ledger, by the decisions of `waybill
 * reconcile`, and opens reviews for what Waybill did not do: disputes and refunds made there, of charges of
 * whatever age, and charges that are not recorded as they were made. Acts on nothing. Does nothing on a
 * restored database that is not reconciled. Returns how many reviews it opened; each is opened once.
 */
export async function compareCharges(platform: Platform): Promise<number> {
  const { db, clock, log, payments } = platform;
  if ((await listOpenRestores(db)).length > 0) return 0;
  const now = clock.now();
  const since = new Date(now.getTime() - sinceDays * dayMs);
  const job: Job = {
    platform,
    operations: [],
    is_dry_run: true,
    since,
    started_at: now,
    accepted: new Set(),
    open: new Set(),
    report: () => undefined,
    planned: nothingPlanned(),
  };
  let opened = 0;
  for (const processor of payments.all) {
    try {
      for (const finding of await compare(job, processor))
        if (await openReview(platform, processor, finding)) opened += 1;
    } catch (error) {
      log.error({ party: processor.party, err: error }, "charges.not_compared");
    }
  }
  return opened;
}

interface CheckedCharge {
  /** The dispute's or the refund's id, or the charge's. */
  subject_id: string;
  charge: ListedCharge;
  what: string;
}

async function compare(job: Job, payments: Payments): Promise<CheckedCharge[]> {
  const found: CheckedCharge[] = [];
  const needsAPerson = async (charge: ListedCharge) => {
    const decision = await decideCharge(job, payments, charge);
    return decision && !["nothing", "wait"].includes(decision.action) ? decision : null;
  };
  for (const reversal of await listReversals(job, payments)) {
    const { charge, reversal_id: subject_id } = reversal;
    if (await needsAPerson(charge)) found.push({ subject_id, charge, what: wordsOf(reversal) });
  }
  const before = job.started_at.getTime() - settledAfterDays * dayMs;
  for (const charge of await listCharges(payments, job.since)) {
    const isReversed = charge.refunded_cents + (charge.disputed_cents ?? 0) > 0;
    if (isReversed || charge.charged_at.getTime() > before) continue;
    const decision = await needsAPerson(charge);
    if (decision) found.push({ subject_id: charge.charge_id, charge, what: decision.found });
  }
  return found;
}

function listReversals(job: Job, payments: Payments): Promise<Reversal[]> {
  return allPages(payments.timeoutSeconds, async (cursor, signal) => {
    const page = await payments.listReversals({ since: job.since, cursor }, signal);
    return { items: page.reversals, next_cursor: page.next_cursor };
  });
}

function wordsOf({ kind, reversal_id, amount_cents, status, charge }: Reversal): string {
  const amount = `${fromCents(amount_cents).toFixed(2)} ${charge.currency}`;
  return kind === "dispute"
    ? `was disputed by the cardholder for ${amount} (${reversal_id}, ${status})`
    : `was refunded there by ${amount} (${reversal_id}, ${status})`;
}

/** False when there is one already, or the account does not exist here, which is logged. */
async function openReview(
  platform: Platform,
  { party }: Payments,
  { subject_id, charge, what }: CheckedCharge,
): Promise<boolean> {
  const { account_id, transaction_id, charge_id, reference, amount_cents, currency } = charge;
  if (await isUnderReview(platform.db, { account_id, kind: "charge_check", subject_id }))
    return false;
  if (!(await isKnownAccount(platform.db, account_id))) {
    platform.log.error({ party, account_id, charge_id, what }, "charges.of_unknown_account");
    return false;
  }
  const input = { transaction_id, charge_id, charge_reference: reference, amount_cents, currency };
  try {
    await perform(platform.outbound, chargeCheck(), {
      account_id,
      idempotency_key: null,
      by: bySystem("charges.compare"),
      prepare: async () => ({ subject_id, party, input: { ...input, what }, message: null }),
    });
  } catch (error) {
    if (isUniqueViolation(error, "attempts_one_charge_check")) return false;
    throw error;
  }
  platform.log.warn({ party, account_id, charge_id, what }, "charges.need_review");
  return true;
}
