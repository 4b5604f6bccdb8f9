import { lookupSeconds } from "../outbound/deadline.ts";
import type { Carrier, ListedLabel, Sighting } from "../carriers/carrier.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { purchasedStatus } from "../domain/shipments/shipment-states.ts";
import { shipmentDigest } from "../purchasing/quotes/quote-shipment.ts";
import { bookCancel } from "../resources/ltl/service.ts";
import { soldAs } from "../purchasing/labels/label-files.ts";
import {
  priceOfMissingLabel,
  restoreLabel,
  restoreUnheard,
} from "../purchasing/labels/restore-label.ts";
import { bookVoid } from "../resources/shipments/service.ts";
import { contextInForce, contextOn } from "../shipping/connections/connection-book.ts";
import { sentLabelOfList } from "../shipping/shipments/label-ref.ts";
import { type ShipmentRow } from "../shipping/shipments/store.ts";
import { askAgain } from "./ask-again.ts";
import { RetryLookup, type Action, type Decision } from "./finding.ts";
import { availableCents, contextAt, findShipment, planCents, type Job } from "./job.ts";
import { allPages, cannotBeAsked, cannotList, decideEach, unreadable } from "./lists.ts";
import { factsOfCalls, labelsOf, readNoted, type Noted, type NotedLabel } from "./noted.ts";
import type { KnownAttempt } from "./store.ts";
import { voidOrphan } from "./orphans.ts";

/**
 * The labels that the carriers issued and voided since the backup, as they list them or as the journal has them,
 * compared with the shipments. Those that the database knows come first, because their voids credit money; missing
 * ones follow in the order of their purchases, so that money is spent in the same order again.
 */
export async function* reconcileLabels(job: Job): AsyncGenerator<Decision> {
  const purchased: PurchasedLabel[] = [];
  let noted: Noted | null = null;
  for (const carrier of job.platform.carriers.all) {
    const { code, listsLabels } = carrier.descriptor;
    try {
      if (listsLabels) purchased.push(...(await listAll(carrier, job.since)));
      if (factsOfCalls(carrier).listsLabels) continue;
      noted ??= await readNoted(job);
      purchased.push(...labelsOf(noted, carrier).map((each) => ({ carrier: code, ...each })));
      if (noted.isBlind(carrier, "label_purchase"))
        yield cannotList(code, "what it sold: compare its labels with the shipments");
      for (const name of noted.damaged) yield unreadable(code, name);
    } catch (error) {
      yield cannotBeAsked(code, error);
    }
  }
  purchased.sort((a, b) => a.label.bought_at.getTime() - b.label.bought_at.getTime());
  yield* decideEach(job, purchased, {
    nameOf: ({ label: { reference, references } }) => ({ ...references, reference }),
    decideKnown,
    decideMissing,
  });
}

interface PurchasedLabel {
  carrier: string;
  environment: "live" | "test";
  label: ListedLabel;
  noted?: NotedLabel;
}

async function listAll(carrier: Carrier, since: Date): Promise<PurchasedLabel[]> {
  const { code, purchaseTimeoutSeconds } = carrier.descriptor;
  const purchased: PurchasedLabel[] = [];
  for (const environment of ["live", "test"] as const) {
    const labels = await allPages(purchaseTimeoutSeconds, async (cursor, signal) => {
      const page = await carrier.listLabels({ environment, since, cursor }, signal);
      return { items: page.labels, next_cursor: page.next_cursor };
    });
    purchased.push(...labels.map((label) => ({ carrier: code, environment, label })));
  }
  return purchased;
}

/** A decision about this label, or that it needs none. */
function about({ carrier, label }: PurchasedLabel) {
  return (found: string, action: Action, act?: () => Promise<void>): Decision => ({
    kind: "label",
    party: carrier,
    reference: label.reference,
    account_id: label.references.account_id,
    shipment_id: label.references.shipment_id || null,
    tracking_code: label.tracking_code || null,
    amount_cents: null,
    currency: null,
    found,
    action,
    act,
  });
}

function voiding(
  job: Job,
  { carrier, environment, label, noted }: PurchasedLabel,
  row: ShipmentRow | null = null,
): () => Promise<void> {
  const { account_id, shipment_id } = label.references;
  const orphan = {
    environment,
    reference: label.reference,
    carrier_label_id: label.carrier_label_id || (row?.carrier_label_id ?? ""),
    tracking_code: label.tracking_code || (row?.tracking_code ?? ""),
    ...(noted && {
      connection_id: noted.connection_id,
      carrier_data: noted.sold?.carrier_data ?? row?.carrier_data ?? null,
    }),
  };
  const whose = { account_id, shipment_id: shipment_id || (row?.id ?? ""), carrier };
  return () => voidOrphan(job.platform, whose, orphan);
}

async function decideKnown(
  job: Job,
  purchased: PurchasedLabel,
  { status, subject_id }: KnownAttempt,
): Promise<Decision | null> {
  const { label, noted } = purchased;
  const that = about(purchased);
  if (status === "sent" || status === "unknown") return that("is being looked up", "wait");
  if (status === "review") return that("waits for a decision of its review", "nothing");
  if (status !== "settled") {
    if (label.voided || noted?.is_unheard) return null;
    return that("was marked not executed here and is live there", "void", voiding(job, purchased));
  }
  const { account_id } = label.references;
  const row = await findShipment(job, account_id, subject_id);
  const isVoidHere = !row || row.voided_at !== null;
  if (label.voided && !isVoidHere) return missingVoid(job, purchased, row);
  if (noted?.undone === "unheard" && !isVoidHere)
    return that(
      "was being voided when its answer was lost, which was missing here",
      "void",
      voiding(job, purchased, row),
    );
  // A void that the carrier rejected afterwards is handled by the refund, not here.
  const isLiveThere = !label.voided && label.refund === "none" && !noted;
  if (isLiveThere && isVoidHere)
    return that("is void here and live there", "void", voiding(job, purchased));
  return null;
}

async function missingVoid(
  job: Job,
  purchased: PurchasedLabel,
  row: ShipmentRow,
): Promise<Decision> {
  const that = about(purchased);
  if (row.status === "void_pending") return that("is being voided", "wait");
  if (row.status !== purchasedStatus(row.type))
    return that(`is void there and ${row.status} here`, "by_hand");
  if (row.type === "ltl") return missingCancel(job, purchased, row);
  const refund = purchased.label.refund === "approved" ? "approved" : "pending";
  const ctx = (await contextAt(job, row.account_id, job.started_at))!;
  if (job.is_dry_run) {
    job.planned.voided.add(row.id);
    if (refund === "approved") planCents(job, row.account_id, row.cost_total_cents ?? 0);
  }
  return that("was voided, which was missing here", "book_void", () =>
    bookVoid(ctx, row, { refund }),
  );
}

/** A list does not state what the carrier keeps of a booking. */
async function missingCancel(
  job: Job,
  purchased: PurchasedLabel,
  row: ShipmentRow,
): Promise<Decision> {
  const ctx = (await contextAt(job, row.account_id, job.started_at))!;
  const { carrier, label } = purchased;
  const act = async () => {
    const signal = AbortSignal.timeout(lookupSeconds * 1000);
    const whose = await contextInForce(ctx, ctx.account, carrier);
    const sent = sentLabelOfList(row, label, whose);
    const found = await ctx.carriers.get(carrier).lookUpLabel(sent, signal);
    const cancellation = found?.cancellation;
    if (!cancellation) throw new Error("the carrier does not say at what fee it was cancelled");
    await bookCancel(ctx, row, { refund: "approved", cancellation });
  };
  return about(purchased)("was cancelled, which was missing here", "book_void", act);
}

async function decideMissing(job: Job, purchased: PurchasedLabel): Promise<Decision> {
  const { label, noted } = purchased;
  const { account_id, shipment_id, shipment_digest } = label.references;
  const that = about(purchased);
  if (label.voided) return that("was missing here, and voided since", "nothing");
  if (noted && noted.connection_id !== null && !(await connectionOf(job, purchased)))
    return that("was missing here, and its connection is not known here", "by_hand");
  if (noted?.is_unheard) return decideUnheard(job, { ...purchased, noted });
  const orphaned = (why: string) =>
    that(`was missing here, and ${why}`, "void", voiding(job, purchased));
  if (noted?.undone) return orphaned("the answer to its void, too");
  const ctx = await contextAt(job, account_id, label.bought_at);
  if (!ctx) return orphaned("its account is not known here");
  const row = await findShipment(job, account_id, shipment_id);
  if (!row) return orphaned("its shipment is not known here");
  if (row.status === "purchasing" || row.status === "purchase_pending")
    return that(
      "was missing here, and another purchase of its shipment is being looked up",
      "wait",
    );
  if (row.status !== "draft" || job.planned.labelled.has(row.id))
    return orphaned(`its shipment is ${row.status === "draft" ? "labelled" : row.status} here`);
  if (shipmentDigest(row) !== shipment_digest)
    return orphaned("its shipment is not here what was shipped");
  return decidePayable(job, purchased, { ctx, row });
}

/**
 * Of a purchase without a known answer the carrier is asked once more. What that does not prove either is left to an
 * operator, where its shipment still waits for a label and its account can pay for it.
 */
async function decideUnheard(
  job: Job,
  purchased: PurchasedLabel & { noted: NotedLabel },
): Promise<Decision> {
  const { label } = purchased;
  const { account_id, shipment_id, shipment_digest } = label.references;
  const that = about(purchased);
  const seen = await askAgain(job, purchased);
  if (seen === "no_answer") return that("was sent, and its carrier cannot be asked now", "wait");
  if (seen === "may_show") return that("was sent, and may still show at its carrier", "wait");
  if (seen === "voided") return that("was missing here, and voided since", "nothing");
  if (seen === "sold_nothing") return that("was sent, and its carrier has sold nothing", "nothing");
  if (seen !== "open") return decideMissing(job, asSeen(purchased, seen));
  const found = "was sent without a known answer, and no lookup disproves it";
  const ctx = await contextAt(job, account_id, label.bought_at);
  const row = ctx && (await findShipment(job, account_id, shipment_id));
  if (!ctx || row?.status !== "draft" || shipmentDigest(row) !== shipment_digest)
    return that(`${found}; its shipment does not wait for a label here`, "by_hand");
  const decision = await decidePayable(job, purchased, { ctx, row });
  if (decision.action === "void") return that(`${found}; ${decision.found}`, "by_hand");
  return decision.action === "rebook"
    ? { ...decision, found, action: "leave_to_review" }
    : decision;
}

function asSeen(purchased: PurchasedLabel & { noted: NotedLabel }, seen: Sighting): PurchasedLabel {
  const { label, noted } = purchased;
  const { carrier_label_id, tracking_code, cost } = seen;
  const sold = soldAs(seen, noted.look_up!.pieces);
  return {
    ...purchased,
    label: { ...label, carrier_label_id, tracking_code, cost: cost ?? label.cost },
    noted: { ...noted, sold, is_unheard: false },
  };
}

async function connectionOf(job: Job, { label, environment, noted }: PurchasedLabel) {
  const { account_id } = label.references;
  const { connection_id } = noted!;
  const context = await contextOn(job.platform, { account_id, environment, connection_id });
  return context.connection;
}

/** The shipment waits for its label, if its account can pay for it. */
async function decidePayable(
  job: Job,
  purchased: PurchasedLabel,
  { ctx, row }: { ctx: NonNullable<Awaited<ReturnType<typeof contextAt>>>; row: ShipmentRow },
): Promise<Decision> {
  const { carrier, label, noted } = purchased;
  const that = about(purchased);
  const forgotten = { carrier, label, row, ...(noted && { noted }) };
  let quoted;
  try {
    quoted = await priceOfMissingLabel(ctx, forgotten);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const found = `was missing here, and cannot be priced (${error.message})`;
    const isFinal = error.details["retryable"] !== true;
    return isFinal ? that(found, "void", voiding(job, purchased)) : that(found, "wait");
  }
  const { total_cents: amount_cents, currency } = quoted.cost;
  const missing = amount_cents - (await availableCents(job, row.account_id));
  if (missing > 0) {
    const sum = `${(missing / 100).toFixed(2)} ${currency}`;
    return that(`was missing here, and its account lacks ${sum}`, "void", voiding(job, purchased));
  }
  if (job.is_dry_run) {
    planCents(job, row.account_id, -amount_cents);
    job.planned.labelled.set(row.id, label);
  }
  const act = async () => {
    if (noted?.is_unheard) return restoreUnheard(ctx, forgotten, quoted);
    const failure = await restoreLabel(ctx, forgotten, quoted);
    if (failure) throw new RetryLookup(failure.message);
  };
  return { ...that("was missing here", "rebook", act), amount_cents, currency };
}
