import type { FastifyBaseLogger } from "fastify";
import { isUnavailable } from "../database/trouble.ts";
import type { Database, Tx } from "../database/tables.ts";
import type { Clock } from "../domain/clock.ts";
import { newId } from "../domain/ids.ts";
import { OutsideError, type OutsideFailure } from "../domain/outside-error.ts";
import { inAccountTransaction } from "./account-transaction.ts";
import * as store from "./attempt-store.ts";
import type { ReviewOf, Ruling } from "./review.ts";
import { step, type CrashPoints } from "./step.ts";
import { writeLater, writeOutcome } from "./write-outcome.ts";

/**
 * The one way in which Waybill causes an effect outside that costs money: buying and voiding a label,
 * charging a card. Each effect is an *attempt*, and an attempt is three steps:
 *
 *   1. one transaction: whatever may refuse refuses, money is held, the attempt is written with our
 *      own reference (`sent`);
 *   2. the call to the outside party with that reference, in no transaction;
 *   3. one transaction: the outcome. `settled` keeps the effect and captures the hold; `refused`
 *      undoes step 1.
 *
 * When nobody heard the outcome (time-out, reset, our own death) the attempt is `unknown`: the hold
 * stays, and `recovery.ts` asks the party by our reference. A call is never repeated blindly. Every
 * take-over raises the attempt's fence, and the outcome is written only under the fence that its
 * holder knows: a process that lost its lease cannot settle.
 *
 * A database that was restored from a backup begins no attempt until it is reconciled; what it had
 * begun before is looked up as ever, because looking up asks for nothing new.
 */
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
  canBeLookedUp(input: Input): boolean;
  /** How an operator decides about an attempt whose outcome no look-up can tell, the hold staying. */
  review: ReviewOf<Input, Result>;

  /**
   * Why what the party did is not what was asked for, and cannot be kept; null when it can. Such an
   * effect is looked up once more, and undone if the party still says the same.
   */
  flawIn?(attempt: Attempt<Input>, result: Result): Promise<OutsideError | null>;
  /** Work on the result that belongs in no transaction, such as keeping the label's file. */
  keep?(attempt: Attempt<Input>, result: Result): Promise<void>;
  /** The effect happened: in one transaction with the attempt's end. */
  settle(tx: Tx, attempt: Attempt<Input>, result: Result): Promise<Outcome>;
  /** The effect did not happen: undo what `prepare` did. */
  release(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /** Nobody knows yet: show it. */
  suspend(tx: Tx, attempt: Attempt<Input>, failure: Failure): Promise<void>;
  /** Undoes, at the party, an effect that is flawed or appeared after it had been given up. Harmless twice. */
  undo?(attempt: Attempt<Input>, result: Result, signal: AbortSignal): Promise<void>;
}

export interface Attempt<Input> {
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
}

export interface Failure {
  kind: OutsideFailure | "absent";
  party: string;
  party_code: string;
  message: string;
}

/** What `prepare` hands on: what the attempt stores, and what only the first call needs. */
export interface Prepared<Input, Message> {
  subject_id: string;
  party: string;
  input: Input;
  message: Message;
}

/** How a performed operation ended, for the verb that asked for it to put into words. */
export type Performed<Outcome> =
  | { result: "settled"; outcome: Outcome }
  | { result: "refused"; failure: Failure; error: unknown }
  | { result: "unknown"; failure: Failure };

export interface PerformRequest<Input, Message> {
  account_id: string;
  /** The key whose answer the settlement records, so that a retry replays it. */
  idempotency_key: string | null;
  /** Runs in the attempt's transaction, given the attempt's id. What it throws, it refuses. */
  prepare(tx: Tx, attempt: { id: string; reference: string }): Promise<Prepared<Input, Message>>;
  /** Of an effect that is there already: the reference that it was caused under, and when. */
  known?: { reference: string; at: Date };
}

/**
 * Carries one operation through its three steps. Throws only what `prepare` throws, 503 `unavailable`
 * on a restored database that is not reconciled, or a bug.
 */
export async function perform<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformRequest<Input, Message>,
): Promise<Performed<Outcome>> {
  const startedAt = performance.now();
  const { attempt, message } = await begin(outbound, operation, request);
  let result: Result;
  try {
    result = await step(outbound, { name: "send", of: operation }, async () => {
      refuseToSendLate(outbound, attempt, startedAt);
      return withDeadline(operation.timeoutSeconds(attempt.input), (signal) =>
        operation.send(attempt, message, signal),
      );
    });
  } catch (error) {
    return fail(outbound, operation, { attempt, error });
  }
  try {
    const ended = await writeOutcome(outbound, attempt, () =>
      settleUnlessFlawed(outbound, operation, { attempt, result }),
    );
    if (!ended) return { result: "unknown", failure: toFailure(attempt, null) };
    if ("outcome" in ended.value) return { result: "settled", ...ended.value };
    return await lookTwice(outbound, operation, { attempt, result, ...ended.value });
  } catch (error) {
    return outOfReach(outbound, operation, { attempt, error });
  }
}

/**
 * Who stood still for a good part of its lease between writing the attempt and sending it may have
 * been taken for dead, and the attempt given up: what it sent now, nobody would expect any more.
 */
function refuseToSendLate(
  { lease_seconds }: Outbound,
  { party }: Attempt<object>,
  startedAt: number,
): void {
  if (performance.now() - startedAt < lease_seconds * 500) return;
  throw new OutsideError({
    kind: "unreachable",
    party,
    party_code: "not_sent",
    message: "The request was not sent in time; nothing was charged.",
  });
}

/**
 * How long a call that `send` has begun may still wait for its turn: with the half of a lease before
 * it, less than what it takes to be thought dead. The effect may appear by so much later.
 */
export function queueSeconds({ lease_seconds }: Pick<Outbound, "lease_seconds">): number {
  return lease_seconds / 4;
}

/** Keeps the effect if it is what was asked for, else says why not. */
async function settleUnlessFlawed<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  effect: { attempt: Attempt<Input>; result: Result },
): Promise<{ outcome: Outcome } | { flaw: OutsideError }> {
  const flaw = await operation.flawIn?.(effect.attempt, effect.result);
  return flaw ? { flaw } : { outcome: await settle(outbound, operation, effect) };
}

/**
 * The effect happened, but not as it was asked for. An answer can be spoiled on its way, so the party
 * is asked once more; what is then still wrong is taken back.
 */
async function lookTwice<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  first: { attempt: Attempt<Input>; result: Result; flaw: OutsideError },
): Promise<Performed<Outcome>> {
  const { attempt } = first;
  const { recovery } = operation;
  let { result, flaw } = first;
  if (recovery.by === "find" && operation.canBeLookedUp(attempt.input)) {
    const found = await step(outbound, { name: "look_up", of: operation }, () =>
      withDeadline(lookUpSeconds, (signal) => recovery.find(attempt, signal)),
    );
    if (found === null) throw new Error(`attempt ${attempt.id} was answered but is not found`);
    const ended = await settleUnlessFlawed(outbound, operation, { attempt, result: found });
    if ("outcome" in ended) return { result: "settled", ...ended };
    result = found;
    flaw = ended.flaw;
  }
  const failure = toFailure(attempt, flaw);
  await takeBack(outbound, operation, { attempt, result, failure });
  return { result: "refused", failure, error: flaw };
}

/**
 * Undoes at the party what cannot be kept, and then gives it up here. Throws what the undoing throws:
 * the attempt is then still open, and nobody will settle it.
 */
export async function takeBack<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, result, failure }: { attempt: Attempt<Input>; result: Result; failure: Failure },
): Promise<void> {
  const { undo } = operation;
  if (!undo) throw new Error(`a ${operation.kind} cannot be undone`);
  await step(outbound, { name: "disown", of: operation }, () =>
    store.disownAttempt(outbound.db, attempt, failure),
  );
  await step(outbound, { name: "undo", of: operation }, () =>
    withDeadline(lookUpSeconds, (signal) => undo(attempt, result, signal)),
  );
  await giveUp(outbound, operation, { attempt, failure, status: "refused" });
  outbound.log.warn(
    { attempt_id: attempt.id, kind: operation.kind, failure },
    "outbound.taken_back",
  );
}

/** How long recovery waits for one answer: what it asks is quick to answer. */
export const lookUpSeconds = 8;

/**
 * Books an effect that a party is known to have, and this database not: the same three steps, except
 * that nobody is called. `known` of the request says under which reference the party has it, where it
 * was caused under one of ours that the database forgot.
 */
export function adopt<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { result, ...request }: PerformRequest<Input, Message> & { result: Result },
): Promise<Performed<Outcome>> {
  return perform(outbound, { ...operation, send: async () => result }, request);
}

/**
 * The effect happened, but we cannot write it, for a reason that does not pass by itself. Recovery
 * learns it again from the other side, and tries again.
 */
async function outOfReach<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, error }: { attempt: Attempt<Input>; error: unknown },
): Promise<Performed<Outcome>> {
  outbound.log.error(
    { attempt_id: attempt.id, kind: operation.kind, err: error },
    "outbound.not_settled",
  );
  const failure = { ...toFailure(attempt, error), kind: "unknown" as const };
  await writeOutcome(outbound, attempt, () => suspend(outbound, operation, { attempt, failure }));
  return { result: "unknown", failure };
}

async function begin<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformRequest<Input, Message>,
): Promise<{ attempt: Attempt<Input>; message: Message }> {
  const begun: { attempt?: Attempt<Input> } = {};
  const transaction = async (tx: Tx) => {
    const id = request.known?.reference ?? newId("att");
    const { message, ...prepared } = await request.prepare(tx, { id, reference: id });
    const attempt: Attempt<Input> = {
      account_id: request.account_id,
      id,
      reference: id,
      fence: 1,
      idempotency_key: request.idempotency_key,
      sent_at: request.known?.at ?? outbound.clock.now(),
      ...prepared,
    };
    // Should we live but never write the outcome, the attempt is due once our call must be over.
    const dueSeconds = operation.timeoutSeconds(attempt.input) + outbound.lease_seconds;
    await store.insertAttempt(tx, attempt, {
      kind: operation.kind,
      holder_id: outbound.process_id,
      due_seconds: dueSeconds,
      is_reconciling: outbound.is_reconciling ?? false,
    });
    begun.attempt = attempt;
    return { attempt, message };
  };
  try {
    return await step(outbound, { name: "begin", of: operation }, () =>
      inAccountTransaction(outbound.db, request.account_id, transaction),
    );
  } catch (error) {
    const { attempt } = begun;
    if (attempt && isUnavailable(error)) neverSend(outbound, operation, attempt);
    throw error;
  }
}

/** The COMMIT of the attempt may have been carried out and its answer lost: what is there by then, ends. */
function neverSend<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  attempt: Attempt<Input>,
): void {
  const failure: Failure = {
    kind: "unreachable",
    party: attempt.party,
    party_code: "not_sent",
    message: "The request was not sent; nothing was charged.",
  };
  writeLater(outbound, attempt, () =>
    giveUp(outbound, operation, { attempt, failure, status: "refused" }),
  );
}

/**
 * Writes that the effect happened: heard, looked up, or ruled by an operator. Throws `LostLease` when
 * another process took the attempt over, or another operator was first.
 */
export async function settle<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, result, ruling }: { attempt: Attempt<Input>; result: Result; ruling?: Ruling },
): Promise<Outcome> {
  const { keep } = operation;
  if (keep) await step(outbound, { name: "keep", of: operation }, () => keep(attempt, result));
  return step(outbound, { name: "settle", of: operation }, () =>
    inAccountTransaction(outbound.db, attempt.account_id, async (tx) => {
      await store.endAttempt(tx, attempt, { status: "settled", decision: ruling?.decision });
      await ruling?.record(tx);
      return operation.settle(tx, attempt, result);
    }),
  );
}

async function fail<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, error }: { attempt: Attempt<Input>; error: unknown },
): Promise<Performed<Outcome>> {
  const failure = toFailure(attempt, error);
  outbound.log.warn(
    { attempt_id: attempt.id, kind: operation.kind, failure, err: error },
    "outbound.failed",
  );
  if (failure.kind !== "unknown") {
    const refused = await writeOutcome(outbound, attempt, () =>
      giveUp(outbound, operation, { attempt, failure, status: "refused" }),
    );
    if (refused) return { result: "refused", failure, error };
  } else {
    await writeOutcome(outbound, attempt, () => suspend(outbound, operation, { attempt, failure }));
  }
  return { result: "unknown", failure: { ...failure, kind: "unknown" } };
}

/** Shows that the outcome is unknown, and lets recovery look for it at once. */
async function suspend<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, failure }: { attempt: Attempt<Input>; failure: Failure },
): Promise<void> {
  await step(outbound, { name: "suspend", of: operation }, () =>
    inAccountTransaction(outbound.db, attempt.account_id, async (tx) => {
      await store.suspendAttempt(tx, attempt, failure);
      await operation.suspend(tx, attempt, failure);
    }),
  );
}

/** Writes that the effect did not happen, and undoes what was prepared. Throws `LostLease`, too. */
export async function giveUp<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  {
    attempt,
    failure,
    status,
    ruling,
  }: {
    attempt: Attempt<Input>;
    failure: Failure;
    status: "refused" | "absent";
    ruling?: Ruling;
  },
): Promise<void> {
  await step(outbound, { name: "give_up", of: operation }, () =>
    inAccountTransaction(outbound.db, attempt.account_id, async (tx) => {
      await store.endAttempt(tx, attempt, { status, failure, decision: ruling?.decision });
      await ruling?.record(tx);
      await operation.release(tx, attempt, failure);
    }),
  );
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

/** Runs a call with a deadline; when it passes, the signal fires and the call counts as unheard. */
export async function withDeadline<T>(
  seconds: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const late = new Error(`no answer within ${seconds} s`);
      controller.abort(late);
      reject(late);
    }, seconds * 1000);
  });
  const calling = call(controller.signal);
  // A call that fails after its deadline has nobody left to tell.
  calling.catch(() => undefined);
  try {
    return await Promise.race([calling, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
