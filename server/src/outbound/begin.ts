import type { Tx } from "../database/tables.ts";
import type { Origin } from "../domain/accounts/principal.ts";
import { isRefused } from "../database/refusals.ts";
import { DatabaseUnavailable, isUnavailable } from "../database/errors.ts";
import { hold, holdAndCommit, type NewHold } from "../ledger/holds.ts";
import { inSharedTransaction } from "../database/account-transaction.ts";
import * as store from "./attempt-store.ts";
import { markNotExecuted } from "./endings.ts";
import type { AnyOperation, Attempt, Failure, Outbound, OutboundOperation } from "./operation.ts";
import { step } from "../domain/scheduling/step.ts";
import { writeLater } from "./write-outcome.ts";

/** How attempts begin: the first of their three steps. */

/** What an attempt stores, and what only its first call needs. */
export interface Prepared<Input, Message> {
  subject_id: string;
  party: string;
  input: Input;
  message: Message;
  /** Money to be held for the effect; the hold's id is in `input`. */
  hold?: NewHold;
}

/** With the attempt's id, which is also the reference sent to the party. */
export type PreparedAttempt<Input, Message> = Prepared<Input, Message> & { id: string };

/** The account and key for which effects are requested. */
export interface RequestFacts {
  account_id: string;
  /** The key for which the settlement stores the response, so that a retry replays it. */
  idempotency_key: string | null;
  by: Origin;
  /** Of an effect that is there already: the reference that it was caused under, and when. */
  known?: { reference: string; at: Date };
}

export interface PerformAllRequest<Wanted, Input, Message> extends RequestFacts {
  wanted: Wanted;
  /** The resource that the effect is about. Two requests of one subject never begin in one transaction. */
  subject_id: string;
  prepare: Prepare<Wanted, Input, Message>;
}

/**
 * Runs in the transaction of the attempts; when it throws, the request is refused. Requests of an account
 * with the same function (the same object, not one made for the call) may begin together: it then gets the
 * input of all of them, and returns the attempts of each, in order. Runs once more, in a new transaction, for
 * a single request after a shared transaction failed, or to report the shortfall when a hold is not covered:
 * so its only side effects are those of `tx`.
 */
export type Prepare<Wanted, Input, Message> = (
  tx: Tx,
  wanted: readonly Wanted[],
) => Promise<PreparedAttempt<Input, Message>[][]>;

export interface Begun<Input, Message> {
  attempt: Attempt<Input>;
  message: Message;
  /** The process's clocks when it was written: the monotonic one, and the wall clock. */
  written_at: { monotonic_ms: number; wall_ms: number };
  /** Should the process stay alive but never write the outcome, it is due once the call must be over. */
  due_seconds: number;
  hold: NewHold | undefined;
}

/** A request, and its attempts once they are prepared. */
interface Beginning<Wanted, Input, Message> {
  request: PerformAllRequest<Wanted, Input, Message>;
  begun: Begun<Input, Message>[];
}

/**
 * The one transaction in which the attempts of a request begin, all or none: refusals are thrown, money is
 * held, and each is written with its own reference. Throws what `prepare` throws, and 503 `unavailable`.
 */
export async function begin<Wanted, Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformAllRequest<Wanted, Input, Message>,
): Promise<Begun<Input, Message>[]> {
  const beginning: Beginning<Wanted, Input, Message> = { request, begun: [] };
  const { account_id, prepare, subject_id } = request;
  try {
    await step(outbound, { name: "begin", of: operation }, async () => {
      const transaction = (holdAll: typeof hold) =>
        inSharedTransaction(outbound.db, account_id, {
          // A refused request runs alone: no other request waits for its reason.
          group: holdAll === hold ? beginning : prepare,
          subject: subject_id,
          item: beginning,
          work: (tx, all) => beginAll(outbound, operation, { tx, all, holdAll }),
        });
      try {
        await transaction(holdAndCommit).catch((error: unknown) => {
          if (isRefused(error, "hold_not_covered")) return transaction(hold);
          throw error;
        });
      } catch (error) {
        const [first] = beginning.begun;
        if (first && isRefused(error, "connection_deleted"))
          throw operation.withoutConnection?.(first.attempt.input) ?? error;
        throw (await store.whyRefused(outbound.db, error)) ?? error;
      }
    });
  } catch (error) {
    // An effect that existed before is not undone: a lookup finds it again.
    const isBegun = !(error instanceof DatabaseUnavailable) || error.may_have_run;
    if (isUnavailable(error) && isBegun && !request.known)
      for (const { attempt } of beginning.begun) neverSend(outbound, operation, attempt);
    throw error;
  }
  return beginning.begun;
}

/** Prepares and writes the attempts of all requests that begin together; they share one `prepare`. */
async function beginAll<Wanted, Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  {
    tx,
    all,
    holdAll,
  }: { tx: Tx; all: readonly Beginning<Wanted, Input, Message>[]; holdAll: typeof hold },
): Promise<readonly Beginning<Wanted, Input, Message>[]> {
  const wanted = all.map(({ request }) => request.wanted);
  const prepared = await all[0]!.request.prepare(tx, wanted);
  all.forEach((each, place) => {
    each.begun = prepared[place]!.map((one) => toBegin(outbound, operation, each.request, one));
  });
  const begun = all.flatMap((each) => each.begun);
  await writeAttempts(outbound, operation, { tx, all: begun, holdAll });
  return all;
}

function toBegin<Input extends object, Message, Result, Outcome>(
  { clock, lease_seconds }: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { account_id, idempotency_key, by: { actor, request_id }, known }: RequestFacts,
  { id, subject_id, party, input, message, hold }: PreparedAttempt<Input, Message>,
): Begun<Input, Message> {
  return {
    attempt: {
      account_id,
      id,
      subject_id,
      reference: id,
      party,
      fence: 1,
      idempotency_key,
      sent_at: known?.at ?? clock.now(),
      input,
      actor,
      request_id,
    },
    message,
    written_at: { monotonic_ms: performance.now(), wall_ms: Date.now() },
    due_seconds: operation.timeoutSeconds(input) + lease_seconds,
    hold,
  };
}

/** The balance comes last: whatever moves the account's money waits from there to the commit. */
async function writeAttempts<Input extends object, Message>(
  outbound: Outbound,
  { kind, withoutConnection }: Pick<AnyOperation, "kind" | "withoutConnection">,
  { tx, all, holdAll }: { tx: Tx; all: readonly Begun<Input, Message>[]; holdAll: typeof hold },
): Promise<void> {
  const account_id = all[0]?.attempt.account_id;
  if (account_id === undefined) return;
  const attempts = all.map(({ attempt, due_seconds }) => ({ ...attempt, due_seconds }));
  const holds = all.flatMap((each) => each.hold ?? []);
  await store.lockConnections(tx, attempts, { account_id, must_exist: !!withoutConnection });
  await store.insertAttempts(tx, attempts, {
    account_id,
    kind,
    holder_id: outbound.process_id,
    is_reconciling: outbound.is_reconciling ?? false,
  });
  if (holds.length > 0) await holdAll(tx, account_id, holds);
}

/**
 * Begins an attempt without a call, in the transaction of what it is about: something that only a person can
 * decide. Its operation has no lookup, so recovery leaves it to an operator at once.
 */
export async function openReview<Input extends object>(
  outbound: Outbound,
  tx: Tx,
  { kind }: { kind: string },
  { account_id, ...about }: NewReview<Input>,
): Promise<void> {
  const { id, subject_id, party, input, actor, request_id } = about;
  const attempt = {
    account_id,
    id,
    subject_id,
    reference: id,
    party,
    fence: 1,
    idempotency_key: null,
    sent_at: outbound.clock.now(),
    input,
    actor,
    request_id,
    due_seconds: 0,
  };
  await store.insertAttempts(tx, [attempt], {
    account_id,
    kind,
    holder_id: outbound.process_id,
    // It makes no call, so a database that lacks later data may have it, too.
    is_reconciling: true,
  });
}

/** What only a person can decide, and the actor that caused it. */
interface NewReview<Input> extends Origin {
  account_id: string;
  id: string;
  subject_id: string;
  party: string;
  input: Input;
}

/** The COMMIT of the attempt may have been executed and its response lost: such an attempt is ended. */
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
    markNotExecuted(outbound, operation, { attempt, failure, status: "refused" }),
  );
}
