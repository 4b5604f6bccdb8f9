import { aboutAttempt } from "../domain/logs/call-subject.ts";
import type { Places } from "../database/leases/claim-by-party.ts";
import { backoffSeconds } from "../domain/scheduling/backoff.ts";
import { partyLanes } from "../jobs/party-lanes.ts";
import { lookupSeconds, withDeadline } from "./deadline.ts";
import { markNotExecuted } from "./endings.ts";
import { keepOrReverse } from "./found-effects.ts";
import {
  toFailure,
  undone,
  type AnyOperation,
  type Failure,
  type Outbound,
  type OutcomeLookUp,
} from "./operation.ts";
import { retryLookup, toReview } from "./open-attempts.ts";
import * as store from "./recovery-store.ts";
import { step } from "../domain/scheduling/step.ts";

/**
 * Finds out the outcome of attempts for which no response was received, and ends each: what the party has is
 * settled, what it does not have is released. What was released is looked up again for a day, because a party
 * may be slower than its stated horizon: what appears then is reversed there. What cannot be reversed, or not
 * be looked up, waits for an operator. So does, in the end, what a lookup does not find without proving
 * anything by that; it is looked up on meanwhile, slowly, and settled if it is found before the decision. Runs
 * in every worker; `SKIP LOCKED` and the fence let any number of them run at once.
 */

/** Taking over due attempts covers all kinds. */
const everyKind = { kind: "*" };

/** A loop's round, with a lane for each party. */
export function recovery(
  outbound: Outbound,
  operations: readonly AnyOperation[],
): (signal: AbortSignal) => Promise<boolean> {
  return partyLanes({
    take: (places) => takeDue(outbound, operations, places),
    partyOf: ({ party }) => party,
    ask: (attempt) => resolve(outbound, operations, attempt),
  });
}

const atOnceMax = 20;

/** Looks up once what is due, some of each party; returns the number of attempts that it took. */
export async function recoverDue(
  outbound: Outbound,
  operations: readonly AnyOperation[],
): Promise<number> {
  const due = await takeDue(outbound, operations, { others: atOnceMax, of: {} });
  await Promise.all(due.map((attempt) => resolve(outbound, operations, attempt)));
  return due.length;
}

async function takeDue(
  outbound: Outbound,
  operations: readonly AnyOperation[],
  places: Places,
): Promise<store.DueAttempt[]> {
  const kinds = operations.map(({ kind }) => kind);
  return step(outbound, { name: "take_over", of: everyKind }, () =>
    store.takeOverDue(outbound.db, { ...outbound, kinds, places }),
  );
}

/**
 * Looks one attempt up and acts on the result. Returns whether its party responded. Never throws: an error of
 * one attempt must not keep the others from being looked up.
 */
async function resolve(
  outbound: Outbound,
  operations: readonly AnyOperation[],
  attempt: store.DueAttempt,
): Promise<boolean> {
  let isAnswered = true;
  try {
    const operation = operationOf(operations, attempt);
    const lookUp = await operation.lookUp(attempt.input, attempt.account_id);
    if (lookUp === null || (attempt.status === "absent" && !canAppearLate(operation))) {
      await withoutLookup(outbound, operation, attempt);
      return true;
    }
    const learned = await aboutAttempt(attempt, () => learn(outbound, operation, attempt)).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    isAnswered = "result" in learned || toFailure(attempt, learned.error).kind === "refused";
    if ("error" in learned)
      await handleUnknown(outbound, operation, { attempt, lookUp, error: learned.error });
    else if (learned.result === undone)
      await notFound(outbound, operation, { attempt, lookUp, is_undone: true });
    else if (learned.result !== null)
      isAnswered = await aboutAttempt(attempt, () =>
        keepOrReverse(outbound, operation, { attempt, ...learned }),
      );
    else await notFound(outbound, operation, { attempt, lookUp });
  } catch (error) {
    outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.recovery_failed");
  }
  return isAnswered;
}

/**
 * Whether the effect of an attempt marked not executed could still appear, and be reversed at its party or
 * left to an operator. A lookup that repeats the call would cause it.
 */
function canAppearLate({ recovery }: AnyOperation): boolean {
  return recovery.by === "find";
}

/** An operator decides at once, unless it was marked not executed, or is under review already. */
async function withoutLookup(
  outbound: Outbound,
  operation: AnyOperation,
  attempt: store.DueAttempt,
): Promise<void> {
  if (attempt.status === "unknown") return toReview(outbound, operation, { attempt });
  await retryLookup(outbound, operation, { attempt, seconds: null, has_response: true });
}

/** Lookups after it was marked not executed: a minute, ten minutes more, an hour more and a day more. */
const lateMoments = [60, 660, 4_260, 90_660];
/** After another day without a response the party is not called any more. */
const lateSecondsMax = 2 * 90_660;
/** Seconds between two lookups of an unknown outcome: what a party shows is settled within 40. */
const lookPauses = { first: 1, max: 30 };
/** Under review a sixtieth of its age, between these bounds. */
const reviewPauses = { least: 30, share: 60, max: 3_600 };

/** In how many seconds an attempt is looked up again that was not found, or could not be asked for. */
function nextLookSeconds(
  { status, look_count, sent_seconds_ago }: store.DueAttempt,
  { after_seconds, releases }: OutcomeLookUp,
): number {
  if (status === "review") return reviewSeconds(sent_seconds_ago);
  const pause = backoffSeconds(look_count, lookPauses);
  // The lookup that releases comes when it may, and not a pause later.
  const left = after_seconds - sent_seconds_ago;
  return releases && left > 0 ? Math.min(pause, left) : pause;
}

function reviewSeconds(sentSecondsAgo: number): number {
  const { least, share, max } = reviewPauses;
  return Math.min(max, Math.max(least, sentSecondsAgo / share));
}

/**
 * The party shows nothing under this reference, or that the effect is reversed: the attempt is marked not
 * executed once that proves it, and looked up again later.
 */
async function notFound(
  outbound: Outbound,
  operation: AnyOperation,
  {
    attempt,
    lookUp,
    is_undone = false,
  }: { attempt: store.DueAttempt; lookUp: OutcomeLookUp; is_undone?: boolean },
): Promise<void> {
  const { not_executed_seconds_ago: ago } = attempt;
  if (attempt.status === "absent" && ago !== null) {
    const next = lateMoments.find((moment) => moment > ago);
    const seconds = next === undefined ? null : next - ago;
    return retryLookup(outbound, operation, { attempt, seconds, has_response: true });
  }
  const { sent_seconds_ago } = attempt;
  const isProven = lookUp.releases && sent_seconds_ago >= lookUp.after_seconds;
  // An operator is deciding about it: only what the party shows forestalls that.
  if (!is_undone && (attempt.status === "review" || !isProven))
    return lookAgain(outbound, operation, { attempt, lookUp, has_response: true });
  const failure: Failure = (attempt.unwanted && attempt.failure) || {
    kind: "absent",
    party: attempt.party,
    party_code: "not_found",
    message: "The request never took effect at the other side; nothing was charged.",
  };
  await markNotExecuted(outbound, operation, { attempt, failure, status: "absent" });
  outbound.log.info({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.marked_not_executed");
}

async function learn(
  outbound: Outbound,
  operation: AnyOperation,
  attempt: store.DueAttempt,
): Promise<unknown> {
  const { recovery } = operation;
  return step(outbound, { name: "look_up", of: operation }, () =>
    withDeadline<unknown>(lookupSeconds, (signal) =>
      recovery.by === "find" ? recovery.find(attempt, signal) : recovery.repeat(attempt, signal),
    ),
  );
}

/**
 * A failed lookup proves nothing about the effect; a repeated call may be refused for good. A party that
 * cannot be called at all, because it or its credentials are gone, is not retried forever.
 */
async function handleUnknown(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, lookUp, error }: { attempt: store.DueAttempt; lookUp: OutcomeLookUp; error: unknown },
): Promise<void> {
  const failure = toFailure(attempt, error);
  if (operation.recovery.by === "repeat" && failure.kind === "refused")
    return markNotExecuted(outbound, operation, { attempt, failure, status: "refused" });
  outbound.log.warn({ attempt_id: attempt.id, failure }, "outbound.look_up_failed");
  const { status, not_executed_seconds_ago, unheard_seconds } = attempt;
  const isUnresponsiveTooLong = (unheard_seconds ?? 0) >= outbound.review_after_seconds;
  if (status === "unknown" && isUnresponsiveTooLong && lookUp.releases)
    return toReview(outbound, operation, { attempt, failure });
  if ((not_executed_seconds_ago ?? 0) > lateSecondsMax)
    return retryLookup(outbound, operation, { attempt, seconds: null, has_response: false });
  await lookAgain(outbound, operation, { attempt, lookUp, has_response: false });
}

/**
 * Looks it up again later. What no lookup ends by itself is an operator's to decide once it has been open for
 * too long, and is looked up all the same until then.
 */
async function lookAgain(
  outbound: Outbound,
  operation: AnyOperation,
  {
    attempt,
    lookUp,
    has_response,
  }: { attempt: store.DueAttempt; lookUp: OutcomeLookUp; has_response: boolean },
): Promise<void> {
  const { status, sent_seconds_ago } = attempt;
  const isOpenTooLong = sent_seconds_ago >= outbound.review_after_seconds;
  if (status === "unknown" && isOpenTooLong && !lookUp.releases) {
    const look_seconds = reviewSeconds(sent_seconds_ago);
    return toReview(outbound, operation, { attempt, look_seconds });
  }
  const seconds = nextLookSeconds(attempt, lookUp);
  await retryLookup(outbound, operation, { attempt, seconds, has_response });
}

/** The operation of the attempt's kind. Throws for a kind that this release does not know. */
export function operationOf(
  operations: readonly AnyOperation[],
  attempt: { kind: string },
): AnyOperation {
  const operation = operations.find(({ kind }) => kind === attempt.kind);
  if (!operation) throw new Error(`no operation of the kind ${attempt.kind}`);
  return operation;
}
