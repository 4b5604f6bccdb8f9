import type { Tx } from "../database/tables.ts";
import { inAccountTransaction, inSharedTransaction } from "../database/account-transaction.ts";
import * as store from "./attempt-store.ts";
import { lookupSeconds, withDeadline } from "./deadline.ts";
import type { OutsideError } from "../domain/errors/outside-error.ts";
import {
  toFailure,
  type Attempt,
  type Effect,
  type Failure,
  type StoredFiles,
  type Outbound,
  type OutboundOperation,
  type ReviewDecision,
} from "./operation.ts";
import { step } from "../domain/scheduling/step.ts";

/**
 * The ways in which an attempt ends, each one transaction under the fence that its holder knows: the effect
 * is settled, marked not executed, shown as unknown, or reversed because it cannot be kept.
 */

/** What is to be settled, and the operator's decision that says so, where no response was received. */
type Settling<Input, Result> = Omit<Effect<Input, Result>, keyof StoredFiles> & {
  reviewDecision?: ReviewDecision;
};

/**
 * Settles the effect if it is what was requested, else returns the mismatch. Throws as `settle` does.
 */
export async function settleUnlessMismatched<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  effect: Settling<Input, Result>,
): Promise<{ outcome: Outcome } | { mismatch: OutsideError }> {
  const { attempt, result } = effect;
  const known = operation.mismatchIn?.(attempt, result);
  if (known) return { mismatch: known };
  try {
    return { outcome: await settle(outbound, operation, effect) };
  } catch (error) {
    const mismatch = operation.mismatchBy?.(error, attempt, result);
    if (!mismatch) throw error;
    return { mismatch };
  }
}

/**
 * Settles an effect that is not what was requested, because its party reverses none. Null where it cannot be
 * kept. Throws as `settle` does.
 */
export async function settleFlawed<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, result, mismatch }: Settling<Input, Result> & { mismatch: OutsideError },
): Promise<{ outcome: Outcome } | null> {
  const kept = operation.keptAs?.(result, mismatch) ?? null;
  if (kept === null) return null;
  const flaw = toFailure(attempt, mismatch);
  try {
    return { outcome: await settle(outbound, operation, { attempt, result: kept, flaw }) };
  } catch (error) {
    if (operation.mismatchBy?.(error, attempt, kept)) return null;
    throw error;
  }
}

/**
 * Writes that the effect happened: as reported, looked up, or decided by an operator. Throws `LostLease` when
 * another process took the attempt over, or another operator was first.
 */
export async function settle<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  settling: Settling<Input, Result>,
): Promise<Outcome> {
  const { keep } = operation;
  const { attempt, result } = settling;
  const { stored } = keep
    ? await step(outbound, { name: "keep", of: operation }, () => keep(attempt, result))
    : { stored: Promise.resolve() };
  // The transaction may fail before it waits for this.
  stored.catch(() => undefined);
  return step(outbound, { name: "settle", of: operation }, () => {
    const settled = inSharedTransaction(outbound.db, attempt.account_id, {
      group: operation.settles_together ? `settle ${operation.kind}` : settling,
      subject: attempt.subject_id,
      item: { ...settling, stored },
      work: (tx, all) => settleAll(tx, operation, all),
    });
    return store.orLostLease(attempt, settled);
  });
}

async function settleAll<Input extends object, Message, Result, Outcome>(
  tx: Tx,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  all: readonly (Settling<Input, Result> & StoredFiles)[],
): Promise<Outcome[]> {
  const ends = all.map(({ attempt, reviewDecision }) => ({
    attempt,
    status: "settled" as const,
    decision: reviewDecision?.decision,
  }));
  await store.endAttempts(tx, ends);
  for (const { reviewDecision } of all) await reviewDecision?.record(tx);
  const outcomes = await operation.settle(tx, all);
  await Promise.all(all.map(({ stored }) => stored));
  return outcomes;
}

/**
 * Writes that the effect did not happen, and undoes what was prepared, unless that was done when the attempt
 * was first marked not executed. Throws `LostLease`, too.
 */
export async function markNotExecuted<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  end: {
    attempt: Attempt<Input>;
    failure: Failure;
    status: "refused" | "absent";
    reviewDecision?: ReviewDecision;
  },
): Promise<void> {
  const { attempt, failure, status, reviewDecision } = end;
  await step(outbound, { name: "mark_not_executed", of: operation }, () =>
    store.orLostLease(
      attempt,
      inAccountTransaction(outbound.db, attempt.account_id, async (tx) => {
        await store.endAttempts(tx, [
          { attempt, status, failure, decision: reviewDecision?.decision },
        ]);
        await reviewDecision?.record(tx);
        if (!attempt.resolved_at) await operation.release(tx, attempt, failure);
      }),
    ),
  );
}

/** Shows that the outcome is unknown, and makes the attempt due for recovery's lookup at once. */
export async function suspend<Input extends object, Message, Result, Outcome>(
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

/**
 * Reverses at the party what cannot be kept. Throws what the reversal throws: the attempt is then still open,
 * and cannot be settled any more.
 */
export async function undoAtParty<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, result, failure }: { attempt: Attempt<Input>; result: Result; failure: Failure },
): Promise<void> {
  const { undo } = operation;
  if (!undo) throw new Error(`a ${operation.kind} cannot be undone`);
  await step(outbound, { name: "mark_for_reversal", of: operation }, () =>
    store.markForReversal(outbound.db, attempt, failure),
  );
  await step(outbound, { name: "undo", of: operation }, () =>
    withDeadline(lookupSeconds, (signal) => undo(attempt, result, signal)),
  );
}
