import type { TProperties } from "typebox";
import type { Tx } from "../database/tables.ts";
import { giveUp, settle } from "./endings.ts";
import type { AnyOperation, Attempt, Failure, Outbound } from "./operation.ts";
import type { ReviewItem } from "./review-store.ts";

/**
 * The end of attempts whose outcome no look-up can tell: the party finds nothing by our reference, or
 * could not be asked for too long. Money stays on hold until an operator has found out by other means
 * and decided. The decision takes the same way as an answer that was heard, under the same fence, so
 * whoever else comes with another outcome, late or at the same moment, finds the attempt ended.
 */

/** What one kind of effect needs for that. */
export interface ReviewOf<Input, Result> {
  /** What the operator should find out, and where; in sentences. */
  advice(attempt: Attempt<Input>): string;
  /** What the decision that the effect stands must tell besides: fields of its body. */
  evidence: TProperties;
  /**
   * The result that nobody heard, from what the operator found; `evidence` has the shape of its schema.
   * Throws 422 for what the shape alone does not show.
   */
  resultOf(attempt: Attempt<Input>, evidence: unknown): Promise<Result>;
}

/** What is kept of a decision, with the attempt. */
export interface Decision {
  decision: "stands" | "void";
  by: string;
  note: string | null;
  decided_at: string;
  /** Of all that was decided, so that the same decision again is told from another one. */
  fingerprint: string;
}

/** A decision, and the line that it leaves in the audit log: in the transaction of the attempt's end. */
export interface Ruling {
  decision: Decision;
  record(tx: Tx): Promise<void>;
}

/** The effect happened: it is settled with this result as if it had been heard. Throws `LostLease`. */
export async function ruleThatItStands(
  outbound: Outbound,
  operation: AnyOperation,
  ruled: { attempt: ReviewItem; result: unknown; ruling: Ruling },
): Promise<void> {
  await settle(outbound, operation, ruled);
}

/**
 * It never happened, or was undone by hand. Where the party can be asked after all, it is watched like
 * everything that was given up: an effect that shows up nevertheless is undone. Throws `LostLease`.
 */
export async function ruleThatItIsVoid(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, ruling }: { attempt: ReviewItem; ruling: Ruling },
): Promise<void> {
  // The operator's note is not for the account's eyes; this sentence is, or why it was unwanted.
  const failure: Failure = (attempt.unwanted && attempt.failure) || {
    kind: "absent",
    party: attempt.party,
    party_code: "not_confirmed",
    message: "The request did not take effect at the other side; nothing was charged.",
  };
  await giveUp(outbound, operation, { attempt, failure, status: "absent", ruling });
}
