import { markNotExecuted, settle } from "./endings.ts";
import type { AnyOperation, Failure, Outbound, ReviewItem, ReviewDecision } from "./operation.ts";

/**
 * The end of attempts whose outcome no lookup can find: the party has nothing under the reference, or could
 * not be asked for too long. Money stays on hold until an operator has found out by other means and decided.
 * The decision is written like a response, under the same fence, so another process with another outcome,
 * later or at the same time, finds the attempt ended.
 */

/**
 * The effect happened: it is settled with this result as if the party had returned it. Throws `LostLease`.
 */
export async function confirmEffect(
  outbound: Outbound,
  operation: AnyOperation,
  ruled: { attempt: ReviewItem; result: unknown; reviewDecision: ReviewDecision },
): Promise<void> {
  await settle(outbound, operation, ruled);
}

/**
 * It never happened, or was reversed by hand. Where the party supports lookups after all, it is looked up
 * like every attempt marked not executed: an effect that appears nevertheless is reversed. Throws
 * `LostLease`.
 */
export async function rejectEffect(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, reviewDecision }: { attempt: ReviewItem; reviewDecision: ReviewDecision },
): Promise<void> {
  // The operator's note is not shown to the account; this message is, or why the effect was to be reversed.
  const failure: Failure = (attempt.unwanted && attempt.failure) || {
    kind: "absent",
    party: attempt.party,
    party_code: "not_confirmed",
    message: "The request did not take effect at the other side; nothing was charged.",
  };
  await markNotExecuted(outbound, operation, {
    attempt,
    failure,
    status: "absent",
    reviewDecision,
  });
}
