import { backoffSeconds } from "../domain/scheduling/backoff.ts";
import { LostLease } from "./attempt-store.ts";
import { markNotExecuted, settleFlawed, settleUnlessMismatched, undoAtParty } from "./endings.ts";
import { canUndo, toFailure, type AnyOperation, type Failure, type Outbound } from "./operation.ts";
import { retryLookup, toReview } from "./open-attempts.ts";
import type { DueAttempt } from "./recovery-store.ts";

/**
 * What becomes of an effect that a lookup found at its party: it is settled, or reversed there. Where the
 * party reverses none it is kept with its flaw, or left to an operator.
 */

/**
 * Settles the effect that the party has, unless it is to be reversed. Returns whether the party responded.
 */
export async function keepOrReverse(
  outbound: Outbound,
  operation: AnyOperation,
  found: { attempt: DueAttempt; result: unknown },
): Promise<boolean> {
  const { attempt } = found;
  let failure = knownFailure(attempt);
  if (failure === null) {
    const ended = await settleUnlessMismatched(outbound, operation, found);
    if ("outcome" in ended) {
      outbound.log.info({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.recovered");
      return true;
    }
    failure = toFailure(attempt, ended.mismatch);
    const isKept =
      !canUndo(operation, attempt) &&
      (await settleFlawed(outbound, operation, { ...found, ...ended })) !== null;
    if (isKept) {
      outbound.log.warn({ attempt_id: attempt.id, failure }, "outbound.kept_mismatch");
      return true;
    }
  }
  if (!canUndo(operation, attempt)) {
    await toReview(outbound, operation, { attempt, failure });
    return true;
  }
  try {
    await undoAtParty(outbound, operation, { ...found, failure });
  } catch (error) {
    if (error instanceof LostLease) throw error;
    await notUndone(outbound, operation, { attempt, error });
    return toFailure(attempt, error).kind === "refused";
  }
  const told = { attempt_id: attempt.id, kind: attempt.kind, failure };
  if (attempt.status === "absent") {
    await retryLookup(outbound, operation, { attempt, seconds: null, has_response: true });
    outbound.log.warn(told, "outbound.reversed_late");
  } else {
    await markNotExecuted(outbound, operation, { attempt, failure, status: "refused" });
    outbound.log.warn(told, "outbound.reversed");
  }
  return true;
}

/** After so many failed reversals the party is not called again: an operator decides. */
const undosBeforeReview = 10;
const undoPauses = { first: 2, max: 512 };

async function notUndone(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, error }: { attempt: DueAttempt; error: unknown },
): Promise<void> {
  outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.not_reversed");
  const failures = attempt.undo_count + 1;
  if (failures >= undosBeforeReview) return toReview(outbound, operation, { attempt });
  await retryLookup(outbound, operation, {
    attempt,
    seconds: backoffSeconds(failures, undoPauses),
    has_response: true,
    is_undo_failed: true,
  });
}

/**
 * Once its reversal has begun, or it was marked not executed, it stays so, even if it now matches the
 * request.
 */
function knownFailure(attempt: DueAttempt): Failure | null {
  if (attempt.unwanted && attempt.failure) return attempt.failure;
  if (attempt.status === "absent")
    return {
      kind: "absent",
      party: attempt.party,
      party_code: "appeared_late",
      message: "The request took effect after it had been given up.",
    };
  return null;
}
