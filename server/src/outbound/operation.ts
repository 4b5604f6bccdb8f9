import type { TProperties } from "typebox";
import type { FastifyBaseLogger } from "fastify";
import type { AttemptStatus, Database, Tx } from "../database/tables.ts";
import type { Origin } from "../domain/accounts/principal.ts";
import type { Cents } from "../domain/values/money.ts";
import type { Clock } from "../domain/time/clock.ts";
import { OutsideError, type OutsideFailure } from "../domain/errors/outside-error.ts";
import type { CrashPoints } from "./step.ts";

/** What every outside effect is made of: the words that `outbound/` and its users share. */

export interface Outbound {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** The row in `processes` whose heartbeat says that we are alive. */
  process_id: string;
  lease_seconds: number;
  /** A party that could not be asked for so long is given up on: an operator has to find out. */
  review_after_seconds: number;
  /** Set by `waybill reconcile` alone: it may act where a restored database forbids everybody else to. */
  is_reconciling?: boolean;
  /** Told of every point that work passes at which a process might die; tests listen, to strike there. */
  crash_points?: CrashPoints;
}

/**
 * What one kind of effect is. `Input` is stored as JSON with the attempt and is all that recovery
 * has; `Message` is what the call needs besides, and lives only as long as the first call.
 */
export interface OutboundOperation<Input extends object, Message, Result, Outcome> {
  kind: string;
  timeoutSeconds(input: Input): number;
  /** How long after the call its effect may still appear; a look-up before that is not final. */
  horizonSeconds(input: Input): number;

  /** The call. Throws `OutsideError`; anything else counts as unknown. */
  send(attempt: Attempt<Input>, message: Message, signal: AbortSignal): Promise<Result>;

  /**
   * How recovery learns the outcome: `find` asks by reference, null meaning "no such thing";
   * `repeat` may call again because the party makes the second call harmless.
   */
  recovery:
    | { by: "find"; find(attempt: Attempt<Input>, signal: AbortSignal): Promise<Result | null> }
    | { by: "repeat"; repeat(attempt: Attempt<Input>, signal: AbortSignal): Promise<Result> };
  /** Whether this attempt's party can answer a look-up at all; if not, it becomes a review item. */
  supportsLookup(input: Input): boolean;
  /** How an operator decides about an attempt whose outcome no look-up can tell, the hold staying. */
  review: ReviewOf<Input, Result>;

  /**
   * Why what the party did is not what was asked for, and cannot be kept; null when it can. Such an
   * effect is looked up once more, and undone if the party still says the same.
   */
  mismatchIn?(attempt: Attempt<Input>, result: Result): Promise<OutsideError | null>;
  /** Work on the result that belongs in no transaction, such as keeping the label's file. */
  keep?(attempt: Attempt<Input>, result: Result): Promise<void>;
  /**
   * The effects of an account happened: in one transaction with their attempts' ends, all or none. It is one,
   * unless the operation `settles_together`. Returns their outcomes in order.
   */
  settle(tx: Tx, effects: readonly Effect<Input, Result>[]): Promise<Outcome[]>;
  /** Effects that end at one moment share a transaction, because that costs less than one for each. */
  settles_together?: boolean;
  /** The effect did not happen: undo what `prepare` did. */
  release(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /** Nobody knows yet: show it. */
  suspend(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /** Undoes, at the party, an effect that is flawed or appeared after it had been given up. Harmless twice. */
  undo?(attempt: Attempt<Input>, result: Result, signal: AbortSignal): Promise<void>;
}

/**
 * Of any kind: recovery only carries inputs and results from one method of the same operation to the next, so it
 * need not know them.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyOperation = OutboundOperation<any, any, any, any>;

/** Whoever brings it to its end, its events name who began it. */
export interface Attempt<Input> extends Origin {
  account_id: string;
  id: string;
  subject_id: string;
  /** Ours, sent along with the call and unique for ever. */
  reference: string;
  party: string;
  fence: number;
  idempotency_key: string | null;
  sent_at: Date;
  input: Input;
  /** When it ended. Set of one that was given up and waits for a decision all the same: see `recovery.ts`. */
  resolved_at?: Date | null;
}

/** An attempt that had the effect which was asked for. */
export interface Effect<Input, Result> {
  attempt: Attempt<Input>;
  result: Result;
}

/** The `settle` of an operation whose effects are settled one after the other. */
export function oneByOne<Input, Result, Outcome>(
  settleOne: (tx: Tx, effect: Effect<Input, Result>) => Promise<Outcome>,
): (tx: Tx, effects: readonly Effect<Input, Result>[]) => Promise<Outcome[]> {
  return async (tx, effects) => {
    const outcomes: Outcome[] = [];
    for (const effect of effects) outcomes.push(await settleOne(tx, effect));
    return outcomes;
  };
}

export interface Failure {
  kind: OutsideFailure | "absent";
  party: string;
  party_code: string;
  message: string;
}

/** Only an `OutsideError` can prove that nothing happened; whatever else was thrown proves nothing. */
export function toFailure(attempt: { party: string }, error: unknown): Failure {
  if (error instanceof OutsideError) {
    return {
      kind: error.kind,
      party: error.party,
      party_code: error.party_code,
      message: error.message,
    };
  }
  return {
    kind: "unknown",
    party: attempt.party,
    party_code: "no_answer",
    message: "No answer that can be read.",
  };
}

/** What an operator needs to decide about one kind of effect whose outcome no look-up can tell. */
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
export interface ReviewDecision {
  decision: Decision;
  record(tx: Tx): Promise<void>;
}

/** An attempt that waits for an operator's decision, or got one. */
export interface ReviewItem extends Attempt<object> {
  kind: string;
  status: AttemptStatus;
  failure: Failure | null;
  /** The party refuses to undo what it did wrong, for the reason in `failure`. */
  unwanted: boolean;
  decision: Decision | null;
  /** What the attempt still keeps of the account's credit; null when it never held any. */
  held_cents: Cents | null;
  currency: string;
}
