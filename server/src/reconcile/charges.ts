import type { ListedCharge, Payments } from "../providers/payments/payments.ts";
import { restoreTopUp } from "../resources/credits/service.ts";
import type { Action, Decision } from "./finding.ts";
import { contextAt, planCents, type Job } from "./job.ts";
import { allPages, cannotBeAsked } from "./lists.ts";
import { findAttempt, isBookedAs } from "./store.ts";
import { refundOrphan } from "./orphans.ts";

/**
 * The card processors' charges since the backup, compared with the ledger. A missing charge is recorded as
 * the top-up that it was, so that its key finds it; one that cannot be credited to any account is refunded.
 */
export async function* reconcileCharges(job: Job): AsyncGenerator<Decision> {
  for (const payments of job.platform.payments.all) {
    try {
      for (const charge of await listCharges(payments, job.since)) {
        const decision = await decideCharge(job, payments, charge);
        if (decision) yield decision;
      }
    } catch (error) {
      yield cannotBeAsked(payments.party, error);
    }
  }
}

/** Every charge of this installation since that moment, oldest first. */
export async function listCharges(payments: Payments, since: Date): Promise<ListedCharge[]> {
  const charges = await allPages(payments.timeoutSeconds, async (cursor, signal) => {
    const page = await payments.listCharges({ since, cursor }, signal);
    return { items: page.charges, next_cursor: page.next_cursor };
  });
  return charges.sort((a, b) => a.charged_at.getTime() - b.charged_at.getTime());
}

/**
 * What is to be done about a charge that its processor lists; null where the ledger agrees. `act` of the
 * decision does it.
 */
export async function decideCharge(
  job: Job,
  payments: Payments,
  charge: ListedCharge,
): Promise<Decision | null> {
  const attempt = await findAttempt(job.platform.db, charge);
  const that = (found: string, action: Action, act?: () => Promise<void>): Decision => ({
    kind: "charge",
    party: payments.party,
    reference: charge.reference,
    account_id: charge.account_id,
    shipment_id: null,
    tracking_code: null,
    amount_cents: charge.amount_cents,
    currency: charge.currency,
    found,
    action,
    act,
  });
  const refund = () => refundOrphan(job.platform, charge, payments.party);
  const { refunded_cents } = charge;
  const isPaidBack = refunded_cents === charge.amount_cents;
  switch (attempt?.status) {
    case "sent":
    case "unknown":
      return that("is being looked up", "wait");
    case "review":
      return that("waits for a decision of its review", "nothing");
    case "settled":
      // Waybill never refunds a recorded charge: an operator who did has to record the refund.
      if (refunded_cents > 0)
        return that(
          "was refunded at the processor, in part or whole, and is credited here",
          "by_hand",
        );
      if ((charge.disputed_cents ?? 0) > 0)
        return that("was disputed at the processor, and is credited here", "by_hand");
      if (await isBookedAs(job.platform.db, { ...charge, transaction_id: attempt.subject_id }))
        return null;
      return that("is booked here as another charge, or of another amount", "by_hand");
    case "refused":
    case "absent":
      return isPaidBack ? null : that("was marked not executed here", "refund", refund);
    case undefined:
      break;
  }
  if (isPaidBack) return that("was missing here, and was refunded since", "nothing");
  const ctx = await contextAt(job, charge.account_id, charge.charged_at);
  if (!ctx) return that("is of an account that is not known here", "refund", refund);
  if (refunded_cents > 0) return that("was missing here, and refunded in part", "by_hand");
  if (ctx.account.currency !== charge.currency)
    return that("is in another currency than its account", "refund", refund);
  if (job.is_dry_run) planCents(job, charge.account_id, charge.amount_cents);
  return that("was missing here", "rebook", () => restoreTopUp(ctx, charge, payments.party));
}
