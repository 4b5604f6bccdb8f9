import { isUnavailable } from "../database/trouble.ts";
import type { Tx } from "../database/tables.ts";
import { hold, holdAndCommit, isNotCovered, type NewHold } from "../ledger/ledger.ts";
import { inAccountTransaction } from "./account-transaction.ts";
import * as store from "./attempt-store.ts";
import { giveUp } from "./endings.ts";
import type { Attempt, Failure, Outbound, OutboundOperation } from "./operation.ts";
import { step } from "./step.ts";
import { writeLater } from "./write-outcome.ts";

/** How attempts begin: the first of their three steps. */

/** What `prepare` hands on: what the attempt stores, and what only the first call needs. */
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

export interface Begun<Input, Message> {
  attempt: Attempt<Input>;
  message: Message;
}

/**
 * The one transaction in which attempts begin, all or none: whatever may refuse refuses, money is held, and
 * each is written with our own reference. Throws what `prepare` throws, and 503 `unavailable`.
 */
export async function begin<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { account_id, idempotency_key, known, prepare }: PerformAllRequest<Input, Message>,
): Promise<Begun<Input, Message>[]> {
  let begun: Begun<Input, Message>[] = [];
  const writeAll = async (tx: Tx, holdLast: typeof hold) => {
    const sent_at = known?.at ?? outbound.clock.now();
    const prepared = await prepare(tx);
    const all = prepared.map(({ id, subject_id, party, input, message }) => ({
      attempt: {
        ...{ account_id, id, subject_id, reference: id, party },
        ...{ fence: 1, idempotency_key, sent_at, input },
      },
      message,
    }));
    for (const { attempt } of all) {
      await store.insertAttempt(tx, attempt, {
        kind: operation.kind,
        holder_id: outbound.process_id,
        // Should we live but never write the outcome, it is due once our call must be over.
        due_seconds: operation.timeoutSeconds(attempt.input) + outbound.lease_seconds,
        is_reconciling: outbound.is_reconciling ?? false,
      });
    }
    begun = all;
    // The balance comes last: all that moves the account's money waits from here to the commit.
    const holds = prepared.flatMap((each) => each.hold ?? []);
    for (const each of holds) await (each === holds.at(-1) ? holdLast : hold)(tx, account_id, each);
    return all;
  };
  try {
    return await step(outbound, { name: "begin", of: operation }, async () => {
      const commitWith = (holdLast: typeof hold) =>
        inAccountTransaction(outbound.db, account_id, (tx) => writeAll(tx, holdLast));
      try {
        return await commitWith(holdAndCommit).catch((error: unknown) => {
          if (isNotCovered(error)) return commitWith(hold);
          throw error;
        });
      } catch (error) {
        throw (await store.whyRefused(outbound.db, error)) ?? error;
      }
    });
  } catch (error) {
    // What was there before is not undone: a look-up finds it again.
    if (isUnavailable(error) && !known)
      for (const { attempt } of begun) neverSend(outbound, operation, attempt);
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
