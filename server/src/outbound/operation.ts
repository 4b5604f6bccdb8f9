import type { TProperties } from "typebox";
import type { FastifyBaseLogger } from "fastify";
import type { AttemptStatus, Database, Tx } from "../database/tables.ts";
import type { Origin } from "../domain/accounts/principal.ts";
import type { Cents } from "../domain/values/money.ts";
import type { Clock } from "../domain/time/clock.ts";
import type { ApiError } from "../domain/errors/errors.ts";
import { OutsideError, type OutsideFailure } from "../domain/errors/outside-error.ts";
import type { CrashPoints } from "../domain/scheduling/step.ts";

/** The types of every outside effect that `outbound/` and its users share. */

export interface Outbound {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** The row in `processes` whose heartbeat shows that this process is alive. */
  process_id: string;
  lease_seconds: number;
  /**
   * After so long without an answer from the party an attempt goes to review: an operator has to find out.
   */
  review_after_seconds: number;
  /**
   * Set by `waybill reconcile` alone: it may act where a restored database forbids it to every other process.
   */
  is_reconciling?: boolean;
  /** Called at every point at which a process might die; crash tests stop the process there. */
  crash_points?: CrashPoints;
}

/**
 * One kind of effect. `Input` is stored as JSON with the attempt and is all that recovery has; `Message` is
 * what the call needs in addition, and exists only for the first call.
 */
export interface OutboundOperation<Input extends object, Message, Result, Outcome> {
  kind: string;
  timeoutSeconds(input: Input): number;
  /**
   * Why an attempt does not begin whose connection with the carrier was deleted by then. Where it is absent, as for what
   * reverses an effect, it begins, and its call is refused.
   */
  withoutConnection?(input: Input): ApiError;

  /** The call. Throws `OutsideError`; anything else counts as unknown. */
  send(attempt: Attempt<Input>, message: Message, signal: AbortSignal): Promise<Result>;

  /**
   * How recovery learns the outcome: `find` asks by reference, null meaning "not found", and `undone` that the
   * party shows it as reversed; `repeat` may call again because the party makes the second call harmless.
   */
  recovery:
    | {
        by: "find";
        find(attempt: Attempt<Input>, signal: AbortSignal): Promise<Result | null | Undone>;
      }
    | { by: "repeat"; repeat(attempt: Attempt<Input>, signal: AbortSignal): Promise<Result> };
  /** What a lookup of this attempt proves; null where its party answers none: it becomes a review item. */
  lookUp(input: Input, accountId: string): OutcomeLookUp | null | Promise<OutcomeLookUp | null>;
  /** How an operator decides about an attempt whose outcome no lookup can find; the hold stays. */
  review: ReviewOf<Input, Result>;

  /** What a lookup found, with what only the party's answer to the call has told. */
  complete?(found: Result, answered: Result): Result;

  /**
   * Why the effect is not what was requested, and cannot be kept; null when it can. Such an effect is looked
   * up once more, and reversed if the party still returns the same.
   */
  mismatchIn?(attempt: Attempt<Input>, result: Result): OutsideError | null;
  /** The same, where a condition of the settlement's own statements failed with this error. */
  mismatchBy?(error: unknown, attempt: Attempt<Input>, result: Result): OutsideError | null;
  /** Work on the result outside any transaction, such as drawing documents and writing the label's file. */
  keep?(attempt: Attempt<Input>, result: Result): Promise<StoredFiles>;
  /**
   * The effects of an account happened: in one transaction with their attempts' ends, all or none. One
   * effect, unless the operation `settles_together`. Returns their outcomes in order.
   */
  settle(tx: Tx, effects: readonly Effect<Input, Result>[]): Promise<Outcome[]>;
  /** Effects that end at one moment share a transaction, because that costs less than one for each. */
  settles_together?: boolean;
  /** The effect did not happen: undo what `prepare` did. */
  release(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /** The outcome is unknown: show it. */
  suspend(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /**
   * Reverses, at the party, an effect that is not as requested or appeared after the attempt was marked not
   * executed. Idempotent.
   */
  undo?(attempt: Attempt<Input>, result: Result, signal: AbortSignal): Promise<void>;
  /** Whether its party reverses such effects at all; where absent, it does if there is an `undo`. */
  canUndo?(input: Input): boolean;
  /**
   * What is settled of an effect that its party does not reverse, with the mismatch as its `flaw`; null where
   * that cannot be either, and waits for an operator.
   */
  keptAs?(result: Result, mismatch: OutsideError): Result | null;
}

/** The effect happened, and was reversed: here, by hand, or by a process that has ended since. */
export const undone = Symbol("undone");
export type Undone = typeof undone;

/** What it proves about an attempt that its party shows nothing under its reference. */
export interface OutcomeLookUp {
  /**
   * `proof`: after so many seconds the effect did not happen. `hint`: a later lookup may still find it; it is
   * looked up until then, and an operator decides in the end.
   */
  absence: "proof" | "hint";
  /** How long after the call its effect may still appear; a lookup before that is not final. */
  after_seconds: number;
  /** Whether what is not found by then is marked not executed: always where that is proof. */
  releases: boolean;
}

/** What is not found after so many seconds did not happen. */
export function proofAfter(seconds: number): OutcomeLookUp {
  return { absence: "proof", after_seconds: seconds, releases: true };
}

/** Of an operation whose party makes a second call harmless. */
export const repeatable = proofAfter(0);

/** Whether the party reverses the effect of this attempt. */
export function canUndo(
  { undo, canUndo: does }: AnyOperation,
  { input }: Pick<Attempt<object>, "input">,
): boolean {
  return undo !== undefined && (does?.(input) ?? true);
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
  /** Sent along with the call; permanently unique. */
  reference: string;
  party: string;
  fence: number;
  idempotency_key: string | null;
  sent_at: Date;
  input: Input;
  /** As recovery took it over, or an operator read it; absent for the process that began it. */
  status?: AttemptStatus;
  /**
   * When it ended. Also set for one that was marked not executed and waits for a decision all the same: see
   * `recovery.ts`.
   */
  resolved_at?: Date | null;
}

/** What was written outside the database is on stable storage once `stored` resolves. */
export interface StoredFiles {
  stored: Promise<unknown>;
}

/**
 * An attempt that had the requested effect. A settlement that commits by itself waits for `stored` before.
 */
export interface Effect<Input, Result> extends StoredFiles {
  attempt: Attempt<Input>;
  result: Result;
  /** Why it is not as requested; it is kept, because its party does not reverse it. */
  flaw?: Failure;
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

/** What an operator needs to decide about one kind of effect whose outcome no lookup can find. */
export interface ReviewOf<Input, Result> {
  /** What the operator should find out, and where; in prose. */
  advice(attempt: Attempt<Input>): string;
  /** What the decision that the effect stands must state in addition: fields of its body. */
  evidence: TProperties;
  /**
   * What each decision does to the balance of an effect that holds no money; absent where that follows only later,
   * as the refund of a void does.
   */
  moves?(attempt: Attempt<Input>): { stands: Cents; void: Cents };
  /**
   * The result whose response was lost, built from what the operator found; `evidence` has the shape of its
   * schema. Throws 422 for what the shape alone does not show.
   */
  resultOf(attempt: Attempt<Input>, evidence: unknown): Promise<Result>;
}

/** What is kept of a decision, with the attempt. */
export interface Decision {
  decision: "stands" | "void";
  by: string;
  note: string | null;
  decided_at: string;
  /** Of the whole decision, so that a repeated decision can be distinguished from a different one. */
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
  /** The party does not reverse the effect, which is to be reversed for the reason in `failure`. */
  unwanted: boolean;
  decision: Decision | null;
  /** What the attempt still keeps of the account's credit; null when it never held any. */
  held_cents: Cents | null;
  currency: string;
}
