import type { Carrier, ListedLabel } from "../carriers/carrier.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { purchasedStatus } from "../domain/shipments/shipment-states.ts";
import { shipmentDigest } from "../purchasing/quotes/quote-shipment.ts";
import { bookCancel } from "../resources/ltl/service.ts";
import { priceOfMissingLabel, restoreLabel } from "../purchasing/labels/restore-label.ts";
import { bookVoid } from "../resources/shipments/service.ts";
import { contextInForce } from "../shipping/connections/connection-book.ts";
import { sentLabelOfList } from "../shipping/shipments/label-ref.ts";
import { type ShipmentRow } from "../shipping/shipments/store.ts";
import { RetryLookup, type Action, type Decision } from "./finding.ts";
import { availableCents, contextAt, findShipment, planCents, type Job } from "./job.ts";
import { allPages, cannotBeAsked, cannotList, decideEach } from "./lists.ts";
import type { KnownAttempt } from "./store.ts";
import { voidOrphan } from "./orphans.ts";

/**
 * The labels that the carriers issued and voided since the backup, compared with the shipments. Those that
 * the database knows come first, because their voids credit money; missing ones follow in the order of their
 * purchases, so that money is spent in the same order again.
 */
export async function* reconcileLabels(job: Job): AsyncGenerator<Decision> {
  const purchased: PurchasedLabel[] = [];
  for (const carrier of job.platform.carriers.all) {
    if (!carrier.descriptor.listsLabels)
      yield cannotList(
        carrier.descriptor.code,
        "what it sold: compare its labels with the shipments",
      );
    else
      try {
        purchased.push(...(await listAll(carrier, job.since)));
      } catch (error) {
        yield cannotBeAsked(carrier.descriptor.code, error);
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
    shipment_id: label.references.shipment_id,
    tracking_code: label.tracking_code,
    amount_cents: null,
    currency: null,
    found,
    action,
    act,
  });
}

function voiding(job: Job, { carrier, environment, label }: PurchasedLabel): () => Promise<void> {
  const { account_id, shipment_id } = label.references;
  const { reference, carrier_label_id, tracking_code } = label;
  const orphan = { environment, reference, carrier_label_id, tracking_code };
  return () => voidOrphan(job.platform, { account_id, shipment_id, carrier }, orphan);
}

async function decideKnown(
  job: Job,
  purchased: PurchasedLabel,
  { status, subject_id }: KnownAttempt,
): Promise<Decision | null> {
  const { label } = purchased;
  const that = about(purchased);
  if (status === "sent" || status === "unknown") return that("is being looked up", "wait");
  if (status === "review") return that("waits for a decision of its review", "nothing");
  if (status !== "settled") {
    if (label.voided) return null;
    return that("was marked not executed here and is live there", "void", voiding(job, purchased));
  }
  const { account_id } = label.references;
  const row = await findShipment(job, account_id, subject_id);
  const isVoidHere = !row || row.voided_at !== null;
  if (label.voided && !isVoidHere) return missingVoid(job, purchased, row);
  // A void that the carrier rejected afterwards is handled by the refund, not here.
  if (!label.voided && isVoidHere && label.refund === "none")
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
    const signal = AbortSignal.timeout(8000);
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
  const { label } = purchased;
  const { account_id, shipment_id, shipment_digest } = label.references;
  const that = about(purchased);
  if (label.voided) return that("was missing here, and voided since", "nothing");
  const orphaned = (why: string) =>
    that(`was missing here, and ${why}`, "void", voiding(job, purchased));
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

/** The shipment waits for its label, if its account can pay for it. */
async function decidePayable(
  job: Job,
  purchased: PurchasedLabel,
  { ctx, row }: { ctx: NonNullable<Awaited<ReturnType<typeof contextAt>>>; row: ShipmentRow },
): Promise<Decision> {
  const { carrier, label } = purchased;
  const that = about(purchased);
  const forgotten = { carrier, label, row };
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
    const failure = await restoreLabel(ctx, forgotten, quoted);
    if (failure) throw new RetryLookup(failure.message);
  };
  return { ...that("was missing here", "rebook", act), amount_cents, currency };
}
