import { markNotExecuted, settle } from "./endings.ts";
import type { AnyOperation, Failure, Outbound, ReviewItem, ReviewDecision } from "./operation.ts";

/**
 * The end of attempts whose outcome no look-up can tell: the party finds nothing by our reference, or
 * could not be asked for too long. Money stays on hold until an operator has found out by other means
 * and decided. The decision takes the same way as an answer that was heard, under the same fence, so
 * whoever else comes with another outcome, late or at the same moment, finds the attempt ended.
 */

/** The effect happened: it is settled with this result as if it had been heard. Throws `LostLease`. */
export async function confirmEffect(
  outbound: Outbound,
  operation: AnyOperation,
  ruled: { attempt: ReviewItem; result: unknown; reviewDecision: ReviewDecision },
): Promise<void> {
  await settle(outbound, operation, ruled);
}

/**
 * It never happened, or was undone by hand. Where the party can be asked after all, it is watched like
 * everything that was given up: an effect that shows up nevertheless is undone. Throws `LostLease`.
 */
export async function rejectEffect(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, reviewDecision }: { attempt: ReviewItem; reviewDecision: ReviewDecision },
): Promise<void> {
  // The operator's note is not for the account's eyes; this sentence is, or why it was unwanted.
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
