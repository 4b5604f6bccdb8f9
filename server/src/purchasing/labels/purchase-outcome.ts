import type { AttemptStatus } from "../../database/tables.ts";
import { isUnavailable } from "../../database/errors.ts";
import { ApiError, type ErrorBody } from "../../domain/errors/errors.ts";
import { backoffSeconds } from "../../domain/scheduling/backoff.ts";
import type { Cents } from "../../domain/values/money.ts";
import type { Failure } from "../../outbound/operation.ts";
import { overBudget } from "../../carriers/guard/circuit.ts";
import { notRecorded } from "../../carriers/guard/journaled.ts";
import { carrierRefusal } from "../../shipping/shipments/carrier-refusal.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";

/**
 * How the purchase of one label in the background ended, for a batch or for a rule, and the text for it.
 * Pure: the owner of the job writes it.
 */
export type PurchaseOutcome =
  | { status: "succeeded"; cost_cents: Cents }
  | { status: "failed"; error: PurchaseError }
  /** To be retried after a pause, unless there is an attempt whose outcome will decide. */
  | { status: "unsettled"; pause_seconds: number; is_try: boolean };

/** What is kept of a failure. */
export interface PurchaseError extends ErrorBody {
  stage: "validation" | "rating" | "purchase";
  carrier: string | null;
  /** Whether a retry without other changes may succeed later. */
  retryable: boolean;
  occurred_at: string;
}

export interface PurchaseJob {
  stage: PurchaseError["stage"];
  carrier: string | null;
  tries: number;
  now: Date;
}

/** The number of tries for a transient error; then it is the item's error. */
const triesMax = 10;
const bugsMax = 3;

/** The outcome of a job that threw. */
export function outcomeOf(error: unknown, job: PurchaseJob): PurchaseOutcome {
  if (isUnavailable(error)) return again(job, false);
  if (!(error instanceof ApiError)) {
    if (job.tries + 1 < bugsMax) return again(job);
    return failed(new ApiError("internal_error"), job);
  }
  if (error.code === "unavailable") return again(job, false);
  // This job's purchase has begun, and its outcome is unknown: its attempt decides, however long it takes.
  if (job.stage === "purchase" && error.code === "purchase_pending") return again(job);
  if (passes(error, job) && job.tries < triesMax) return again(job);
  return failed(error, job);
}

/**
 * Transient errors, which do not concern the shipment itself: another caller is purchasing it, and that
 * outcome decides this one; it was changed since it was read; a carrier's rate limit was reached.
 */
function passes({ code, details }: ApiError, { stage }: PurchaseJob): boolean {
  if (code === "purchase_pending") return true;
  if (code === "conflict") return stage === "purchase";
  if (code !== "carrier_error") return false;
  const { carrier_code } = details;
  return carrier_code === "carrier_rate_limited" || isNotSent(carrier_code);
}

/** Waybill's own limits kept the call from being sent. */
function isNotSent(carrierCode: unknown): boolean {
  return ["carrier_busy", "not_sent", overBudget, notRecorded].includes(String(carrierCode));
}

function again({ tries }: Pick<PurchaseJob, "tries">, is_try = true): PurchaseOutcome {
  const pause_seconds = backoffSeconds(tries + 1, { first: 1, max: 8 });
  return { status: "unsettled", pause_seconds, is_try };
}

function failed(
  error: ApiError,
  { stage, carrier, now }: Omit<PurchaseJob, "tries">,
): PurchaseOutcome {
  const { code, message, details } = error.toBody();
  return {
    status: "failed",
    error: {
      code,
      message,
      details,
      stage: code === "validation_failed" ? "validation" : stage,
      carrier: typeof details["carrier"] === "string" ? details["carrier"] : carrier,
      retryable: isRetryable(error),
      occurred_at: now.toISOString(),
    },
  };
}

/** Whether it may succeed when the batch is processed again without other changes. */
function isRetryable({ code, details }: ApiError): boolean {
  if (code === "carrier_error") return details["retryable"] === true;
  return ["insufficient_credits", "rate_changed", "purchase_pending", "internal_error"].includes(
    code,
  );
}

/** What is known of the attempt of a job whose process did not see its end. */
export interface AttemptOutcome {
  shipment_id: string;
  attempt_status: AttemptStatus;
  failure: Failure | null;
  cost_cents: Cents;
  tries: number;
}

/** The outcome of a purchase, derived from the attempt alone. */
export function outcomeOfAttempt(
  { shipment_id, attempt_status, failure, cost_cents, tries }: AttemptOutcome,
  now: Date,
): PurchaseOutcome {
  if (attempt_status === "settled") return { status: "succeeded", cost_cents };
  const job = { stage: "purchase" as const, carrier: failure?.party ?? null, now };
  if (attempt_status === "review" || !failure) {
    const pending = purchasePending({ id: shipment_id, status: "purchase_pending" });
    return failed(pending, job);
  }
  // Looked up and not found: its sender may have died before the call. A label that appears late is voided.
  const isNothing = failure.kind === "absent" || isNotSent(failure.party_code);
  if (isNothing && tries < triesMax) return again({ tries });
  return failed(refusalOf(failure), job);
}

function refusalOf(failure: Failure): ApiError {
  if (failure.party_code === "price_changed")
    return new ApiError("rate_changed", { details: { carrier: failure.party } });
  const { code, message, details } = carrierRefusal(failure, null);
  // It never took effect and never will: nothing prevents the next try from succeeding.
  const retryable = failure.kind === "absent" || details["retryable"] === true;
  return new ApiError(code, { message, details: { ...details, retryable } });
}
