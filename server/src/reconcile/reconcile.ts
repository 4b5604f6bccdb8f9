import { listOpenRestores, markReconciled } from "../database/health/restores.ts";
import type { Database } from "../database/tables.ts";
import type { Platform } from "../context.ts";
import { verifyLedger, type Contradiction } from "../ledger/verify.ts";
import type { AnyOperation } from "../outbound/operation.ts";
import { recoverDue } from "../outbound/recovery.ts";
import { reconcileCharges } from "./charges.ts";
import { FinalRefusal, refusedFinding, RetryLookup, type Decision } from "./finding.ts";
import { nothingPlanned, type Job } from "./job.ts";
import { reconcileLabels } from "./labels.ts";
import { reconcileManifests } from "./manifests.ts";
import { reconcilePickups } from "./pickups.ts";
import * as store from "./store.ts";
import { orphanKinds } from "./orphans.ts";

/**
 * `waybill reconcile`: after a restore, the missing effects are added to the database. Every carrier and card
 * processor is asked for what it issued and charged since the backup; each effect that the database lacks, or
 * has differently, is recorded as it happened or reversed at its party. Until then `outbound/` begins no
 * attempt, so whatever is missing here happened before, and nothing is added in the meantime.
 *
 * It repeats its rounds until one finds nothing to do. So it can be killed anywhere and run again: what it
 * had done is then in the database.
 */

export interface ReconcileOptions {
  is_dry_run: boolean;
  /** Instead of the time of the backup, less a margin. */
  since: Date | null;
  accepted: readonly string[];
  report: Job["report"];
  /** The platform's database, without a statement timeout: verifying the ledger reads all of it. */
  no_timeout_db: Database;
}

export interface Reconciliation {
  /** Null when there was nothing to reconcile. */
  since: Date | null;
  /** Whether nothing is left to be done, by this process or by a person. */
  is_resolved: boolean;
  contradictions: Contradiction[];
}

/** The clocks of Waybill and the parties may differ, and the party may date an effect in progress earlier. */
const marginMs = 15 * 60_000;
const roundsMax = 5;

/** Throws when another one is running. */
export async function reconcile(
  platform: Platform,
  operations: readonly AnyOperation[],
  options: ReconcileOptions,
): Promise<Reconciliation> {
  return store.alone(platform.db, async () => {
    const restores = await listOpenRestores(platform.db);
    const backedUp = sinceBackup(restores);
    if (options.since && backedUp && options.since > backedUp)
      throw new Error(`what came before ${options.since.toISOString()} may be missing, too`);
    const since = options.since ?? backedUp;
    if (!since) return { since, is_resolved: true, contradictions: [] };
    const outbound = { ...platform.outbound, is_reconciling: true };
    const job: Job = {
      platform: { ...platform, outbound },
      operations,
      is_dry_run: options.is_dry_run,
      since,
      started_at: platform.clock.now(),
      accepted: new Set(options.accepted),
      open: new Set(),
      report: once(options.report),
      planned: nothingPlanned(),
    };
    const isSettled = await settleAll(job);
    const contradictions = await verifyLedger(options.no_timeout_db);
    const is_resolved = isSettled && contradictions.length === 0;
    if (is_resolved && !job.is_dry_run && restores.length > 0)
      await markReconciled(
        platform.db,
        restores.map(({ id }) => id),
      );
    return { since, is_resolved, contradictions };
  });
}

/** A database restored from an older backup that was never reconciled, either, counts from that one on. */
function sinceBackup(restores: { taken_at: Date }[]): Date | null {
  const [oldest] = restores;
  return oldest ? new Date(oldest.taken_at.getTime() - marginMs) : null;
}

/**
 * Rounds of comparing and acting, until one finds nothing to act on. True when nothing is left open, either.
 */
async function settleAll(job: Job): Promise<boolean> {
  for (let round = 1; ; round += 1) {
    const { acted, open } = await checkRound(job);
    if (job.is_dry_run) return open === 0;
    if (acted === 0 || round === roundsMax) return acted === 0 && open === 0;
  }
}

async function checkRound(job: Job): Promise<{ acted: number; open: number }> {
  let acted = 0;
  let open = 0;
  job.open.clear();
  const refusals = await store.listRefusals(job.platform.db, orphanKinds);
  for await (const decision of decisions(job)) {
    const end = await carryOut(job, unlessRefused(decision, refusals));
    if (end === "acted") acted += 1;
    if (end !== "open") continue;
    open += 1;
    job.open.add(decision.reference);
  }
  return { acted, open };
}

/** Each decision is made when the one before it has been carried out. */
async function* decisions(job: Job): AsyncGenerator<Decision> {
  // First of all: a purchase that is found gives its shipment a label, one that is not found frees it.
  yield* openAttempts(job);
  // Credits come before the debits that they cover.
  yield* reconcileCharges(job);
  yield* reconcileLabels(job);
  // Last, because manifests and pickups are of shipments that have a label.
  yield* reconcileManifests(job);
  yield* reconcilePickups(job);
}

/** What a party refused to reverse, in this run or a former one, it is not asked to reverse again. */
function unlessRefused(
  { act, ...finding }: Decision,
  refusals: readonly store.UndoRefusal[],
): Decision {
  const { account_id, party, reference, action } = finding;
  const refusal = refusals.find(
    (each) =>
      each.account_id === account_id && each.party === party && each.reference === reference,
  );
  const isReversal = action === "void" || action === "call_off" || action === "refund";
  if (refusal && isReversal) return refusedFinding(finding, refusal.message);
  return { ...finding, act };
}

async function carryOut(
  { is_dry_run, accepted, report }: Job,
  { act, ...finding }: Decision,
): Promise<"acted" | "open" | "fine"> {
  if (finding.action === "nothing" || accepted.has(finding.reference)) {
    report(finding, "left");
    return "fine";
  }
  if (is_dry_run) {
    report(finding, "planned");
    return act ? "fine" : "open";
  }
  if (!act) {
    report(finding, "left");
    return "open";
  }
  try {
    await act();
    report(finding, "done");
    return "acted";
  } catch (error) {
    if (error instanceof RetryLookup) {
      report(finding, { again: error.message });
      return "acted";
    }
    if (error instanceof FinalRefusal) report(refusedFinding(finding, error.message), "left");
    else report(finding, { failed: (error as Error).message });
    return "open";
  }
}

const settleWithinMs = 30_000;
const pauseMs = 250;

/**
 * Looks up the attempts that were open at the backup; yields those whose outcome is still unknown. A dry run
 * only names them.
 */
async function* openAttempts(job: Job): AsyncGenerator<Decision> {
  const { db, outbound } = job.platform;
  const ours = { before: job.started_at, kinds: orphanKinds };
  let open = await store.listOpenAttempts(db, ours);
  if (!job.is_dry_run && open.length > 0) {
    await store.makeLookupsDue(db);
    const until = Date.now() + settleWithinMs;
    do {
      await recoverDue(outbound, job.operations);
      open = await store.listOpenAttempts(db, ours);
      if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    } while (open.length > 0 && Date.now() < until);
  }
  for (const { account_id, kind, party, reference, subject_id } of open) {
    yield {
      kind: "attempt",
      party,
      reference,
      account_id,
      shipment_id: subject_id,
      tracking_code: null,
      amount_cents: null,
      currency: null,
      found: `(${kind}) has no known outcome yet`,
      ...(job.is_dry_run ? { action: "look_up", act: async () => undefined } : { action: "wait" }),
    };
  }
}

/** A finding of one round is not reported again in the next, nor that nothing more is to be done about it. */
function once(report: Job["report"]): Job["report"] {
  const told = new Set<string>();
  return (finding, outcome) => {
    const isNews = finding.action !== "nothing" || !told.has(finding.reference);
    const text = JSON.stringify([finding, outcome]);
    if (isNews && !told.has(text)) report(finding, outcome);
    told.add(text).add(finding.reference);
  };
}
