import { describe, expect, test } from "vitest";
import { DatabaseUnavailable } from "../../database/errors.ts";
import { ApiError, invalid, notFound } from "../../domain/errors/errors.ts";
import type { Failure } from "../../outbound/operation.ts";
import {
  outcomeOf,
  outcomeOfAttempt,
  type PurchaseOutcome,
  type AttemptOutcome,
  type PurchaseJob,
} from "./purchase-outcome.ts";

/** Each way in which an item's run or an attempt ends, and the outcome that is recorded. */

const now = new Date("2026-11-20T10:00:00.000Z");
const jobAt = (stage: PurchaseJob["stage"], tries = 0): PurchaseJob => ({
  stage,
  carrier: "ups",
  tries,
  now,
});

/** `again`, or the error's code with its stage and whether it can be retried. */
function inWords(end: PurchaseOutcome): string {
  if (end.status === "unsettled") return end.is_try ? "again" : "again, not counted";
  if (end.status === "succeeded") return `succeeded at ${end.cost_cents}`;
  const { code, stage, retryable } = end.error;
  return `${stage}: ${code}${retryable ? ", retryable" : ""}`;
}

const carrier = (details: object) =>
  new ApiError("carrier_error", { details: { carrier: "ups", ...details } });
const unserviceable = (details: object) =>
  new ApiError("unserviceable", { details: { ...details } });
const pending = new ApiError("purchase_pending");

describe("a run that threw", () => {
  test.each<[string, unknown, PurchaseJob["stage"], number, string]>([
    ["a missing shipment", notFound(), "validation", 0, "validation: not_found"],
    [
      "fields that are wrong",
      invalid({ service: ["is required."] }),
      "rating",
      0,
      "validation: validation_failed",
    ],
    [
      "a label that is there",
      new ApiError("already_labelled"),
      "validation",
      0,
      "validation: already_labelled",
    ],
    ["another purchase of the same shipment", pending, "validation", 0, "again"],
    [
      "another purchase that never ends",
      pending,
      "validation",
      10,
      "validation: purchase_pending, retryable",
    ],
    ["this purchase with an unknown outcome", pending, "purchase", 50, "again"],
    ["a change since it was read", new ApiError("conflict"), "purchase", 0, "again"],
    ["a cancelled shipment", new ApiError("conflict"), "validation", 0, "validation: conflict"],
    [
      "a lane without service",
      unserviceable({ reason: "no_rate_for_lane", retryable: false }),
      "rating",
      0,
      "rating: unserviceable",
    ],
    [
      "a carrier that timed out",
      carrier({ carrier_code: "carrier_timeout", retryable: true }),
      "rating",
      0,
      "rating: carrier_error, retryable",
    ],
    [
      "a carrier over its rate limit",
      carrier({ carrier_code: "carrier_rate_limited", retryable: true }),
      "rating",
      0,
      "again",
    ],
    [
      "a strategy without a matching rate",
      unserviceable({ excluded_services: [{ retryable: false }] }),
      "rating",
      0,
      "rating: unserviceable",
    ],
    [
      "too little credit",
      new ApiError("insufficient_credits"),
      "purchase",
      0,
      "purchase: insufficient_credits, retryable",
    ],
    [
      "a label over its quote",
      new ApiError("rate_changed"),
      "purchase",
      0,
      "purchase: rate_changed, retryable",
    ],
    [
      "a refusal",
      carrier({ carrier_code: "shipment_refused", retryable: false }),
      "purchase",
      0,
      "purchase: carrier_error",
    ],
    [
      "a dead carrier",
      carrier({ carrier_code: "circuit_open", retryable: true }),
      "purchase",
      0,
      "purchase: carrier_error, retryable",
    ],
    [
      "the guard's limits",
      carrier({ carrier_code: "carrier_busy", retryable: true }),
      "purchase",
      0,
      "again",
    ],
    ["a restored database", new ApiError("unavailable"), "purchase", 50, "again, not counted"],
    [
      "an unavailable database",
      new DatabaseUnavailable("away", { may_have_run: true }),
      "rating",
      50,
      "again, not counted",
    ],
    ["a bug", new Error("boom"), "purchase", 0, "again"],
    [
      "a bug for the third time",
      new Error("boom"),
      "purchase",
      2,
      "purchase: internal_error, retryable",
    ],
  ])("by %s", (_name, error, stage, tries, expected) => {
    expect(inWords(outcomeOf(error, jobAt(stage, tries)))).toBe(expected);
  });

  test("pauses longer each time, eight seconds at most", () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((tries) =>
      outcomeOf(pending, jobAt("validation", tries)),
    );
    const seconds = [1, 2, 4, 8, 8, 8];
    expect(pauses).toMatchObject(seconds.map((pause_seconds) => ({ pause_seconds })));
  });

  test("names the carrier, and shows nothing that only the log may contain", () => {
    expect(
      outcomeOf(carrier({ carrier: "fedex", retryable: false }), jobAt("purchase")),
    ).toMatchObject({
      error: { carrier: "fedex", occurred_at: now.toISOString() },
    });
    const end = outcomeOf(new Error("the password is 1234"), jobAt("purchase", 2));
    expect(JSON.stringify(end)).not.toContain("1234");
  });
});

describe("an attempt that ended", () => {
  const failure = (kind: Failure["kind"], party_code: string): Failure => ({
    kind,
    party_code,
    party: "ups",
    message: "No.",
  });
  const outcome = (
    attempt_status: AttemptOutcome["attempt_status"],
    failed: Failure | null,
    tries = 0,
  ): AttemptOutcome => ({
    shipment_id: "shp_a",
    attempt_status,
    failure: failed,
    tries,
    cost_cents: 1234,
  });
  test.each<[string, AttemptOutcome, string]>([
    ["with a label", outcome("settled", null), "succeeded at 1234"],
    [
      "refused",
      outcome("refused", failure("refused", "shipment_refused")),
      "purchase: carrier_error",
    ],
    [
      "more expensive than quoted",
      outcome("refused", failure("refused", "price_changed")),
      "purchase: rate_changed, retryable",
    ],
    ["never sent", outcome("refused", failure("unreachable", "not_sent")), "again"],
    [
      "never sent, again and again",
      outcome("refused", failure("unreachable", "not_sent"), 10),
      "purchase: carrier_error, retryable",
    ],
    [
      "unreachable",
      outcome("refused", failure("unreachable", "circuit_open")),
      "purchase: carrier_error, retryable",
    ],
    ["not found by its lookup", outcome("absent", failure("absent", "not_found")), "again"],
    [
      "not found by repeated lookups",
      outcome("absent", failure("absent", "not_found"), 10),
      "purchase: carrier_error, retryable",
    ],
    [
      "before an operator",
      outcome("review", failure("unknown", "no_answer")),
      "purchase: purchase_pending, retryable",
    ],
  ])("%s", (_name, ended, expected) => {
    expect(inWords(outcomeOfAttempt(ended, now))).toBe(expected);
  });
});
