import type { Tx } from "../database/tables.ts";
import { DatabaseAway, isUnavailable } from "../database/trouble.ts";
import { hold, holdAndCommit, isNotCovered, type NewHold } from "../ledger/holds.ts";
import { inAccountTransaction, inSharedTransaction } from "./account-transaction.ts";
import * as store from "./attempt-store.ts";
import { giveUp } from "./endings.ts";
import type { Attempt, Failure, Outbound, OutboundOperation } from "./operation.ts";
import { step } from "./step.ts";
import { writeLater } from "./write-outcome.ts";

/** How attempts begin: the first of their three steps. */

/** What an attempt stores, and what only its first call needs. */
export interface Prepared<Input, Message> {
  subject_id: string;
  party: string;
  input: Input;
  message: Message;
  /** Money that the effect is going to cost; its id stands in `input`. */
  hold?: NewHold;
}

/** On whose behalf an effect is asked for. */
export interface RequestFacts {
  account_id: string;
  /** The key whose answer the settlement records, so that a retry replays it. */
  idempotency_key: string | null;
  /** Of an effect that is there already: the reference that it was caused under, and when. */
  known?: { reference: string; at: Date };
}

/** What `prepare` of several effects hands on for each, with the id that is also our reference. */
export type PreparedAttempt<Input, Message> = Prepared<Input, Message> & { id: string };

export interface PerformAllRequest<Input, Message> extends RequestFacts {
  /** Runs in the transaction of all the attempts, as that of `PerformRequest` does. What it throws, it refuses. */
  prepare(tx: Tx): Promise<PreparedAttempt<Input, Message>[]>;
}

/**
 * What attempts of one kind change besides when they begin: their shipments say that they are being bought,
 * say. It is one for all of the kind, so that those of one moment can share it.
 */
export type WriteClaims<Claim> = (tx: Tx, claims: readonly Claim[]) => Promise<void>;

export interface PerformTogetherRequest<Input, Message, Claim> extends RequestFacts {
  prepared: PreparedAttempt<Input, Message>;
  claim: Claim;
  /** In the transaction of the attempts, for all the claims; what it throws refuses, alone if not together. */
  writeClaims: WriteClaims<Claim>;
}

export interface Begun<Input, Message> {
  attempt: Attempt<Input>;
  message: Message;
}

interface Beginning<Input, Message> extends Begun<Input, Message> {
  /** Should we live but never write the outcome, it is due once our call must be over. */
  due_seconds: number;
  hold: NewHold | undefined;
}

/**
 * The one transaction in which attempts begin, all or none: whatever may refuse refuses, money is held, and
 * each is written with our own reference. Throws what `prepare` throws, and 503 `unavailable`.
 */
export async function begin<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformAllRequest<Input, Message>,
): Promise<Begun<Input, Message>[]> {
  const { account_id, known } = request;
  let begun: Beginning<Input, Message>[] = [];
  await beginStep(outbound, { operation, known, attempts: () => begun }, (holdAll) =>
    inAccountTransaction(outbound.db, account_id, async (tx) => {
      const prepared = await request.prepare(tx);
      begun = prepared.map((each) => toBegin(outbound, operation, { ...request, prepared: each }));
      await writeAttempts(outbound, operation, { tx, all: begun, holdAll });
    }),
  );
  return begun;
}

/**
 * The same for one attempt, in a transaction that it shares with whatever else of the kind begins for the
 * account at that moment. Throws what `writeClaims` throws for this one.
 */
export async function beginTogether<Input extends object, Message, Result, Outcome, Claim>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: PerformTogetherRequest<Input, Message, Claim>,
): Promise<Begun<Input, Message>> {
  const { account_id, claim, known, writeClaims } = request;
  const begun = toBegin(outbound, operation, request);
  const item = { ...begun, claim };
  const writeWith = (holdAll: typeof hold) => async (tx: Tx, all: readonly (typeof item)[]) => {
    const claims = all.map((each) => each.claim);
    await writeClaims(tx, claims);
    await writeAttempts(outbound, operation, { tx, all, holdAll });
    return all;
  };
  await beginStep(outbound, { operation, known, attempts: () => [begun] }, async (holdAll) => {
    await inSharedTransaction(outbound.db, account_id, {
      // What is refused is refused alone: nobody else waits for its reason.
      kind: holdAll === hold ? `begin ${begun.attempt.id}` : `begin ${operation.kind}`,
      subject: begun.attempt.subject_id,
      item,
      work: writeWith(holdAll),
    });
  });
  return begun;
}

/** Runs the transaction with a hold that commits; if that is not covered, with one that says what is missing. */
async function beginStep<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  of: {
    operation: OutboundOperation<Input, Message, Result, Outcome>;
    known: RequestFacts["known"];
    attempts: () => Begun<Input, Message>[];
  },
  transaction: (holdAll: typeof hold) => Promise<void>,
): Promise<void> {
  const { operation, known, attempts } = of;
  try {
    await step(outbound, { name: "begin", of: operation }, async () => {
      try {
        await transaction(holdAndCommit).catch((error: unknown) => {
          if (isNotCovered(error)) return transaction(hold);
          throw error;
        });
      } catch (error) {
        throw (await store.whyRefused(outbound.db, error)) ?? error;
      }
    });
  } catch (error) {
    // What was there before is not undone: a look-up finds it again.
    const isBegun = !(error instanceof DatabaseAway) || error.may_have_run;
    if (isUnavailable(error) && isBegun && !known)
      for (const { attempt } of attempts()) neverSend(outbound, operation, attempt);
    throw error;
  }
}

function toBegin<Input extends object, Message, Result, Outcome>(
  { clock, lease_seconds }: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  request: RequestFacts & { prepared: PreparedAttempt<Input, Message> },
): Beginning<Input, Message> {
  const { account_id, idempotency_key, known } = request;
  const { id, subject_id, party, input, message, hold } = request.prepared;
  const sent_at = known?.at ?? clock.now();
  return {
    attempt: {
      ...{ account_id, id, subject_id, reference: id, party },
      ...{ fence: 1, idempotency_key, sent_at, input },
    },
    message,
    due_seconds: operation.timeoutSeconds(input) + lease_seconds,
    hold,
  };
}

/** The balance comes last: all that moves the account's money waits from there to the commit. */
async function writeAttempts<Input extends object, Message>(
  outbound: Outbound,
  { kind }: { kind: string },
  work: { tx: Tx; all: readonly Beginning<Input, Message>[]; holdAll: typeof hold },
): Promise<void> {
  const { tx, all, holdAll } = work;
  const attempts = all.map(({ attempt, due_seconds }) => ({ ...attempt, due_seconds }));
  const holds = all.flatMap((each) => each.hold ?? []);
  const account_id = attempts[0]?.account_id;
  if (account_id === undefined) return;
  await store.insertAttempts(tx, attempts, {
    ...{ account_id, kind, holder_id: outbound.process_id },
    is_reconciling: outbound.is_reconciling ?? false,
  });
  if (holds.length > 0) await holdAll(tx, account_id, holds);
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
