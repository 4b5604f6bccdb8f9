import type { Tx } from "../database/tables.ts";
import { inAccountTransaction, inSharedTransaction } from "./account-transaction.ts";
import * as store from "./attempt-store.ts";
import { lookUpSeconds, withDeadline } from "./deadline.ts";
import type { Attempt, Effect, Failure, Outbound, OutboundOperation } from "./operation.ts";
import type { Ruling } from "./review.ts";
import { step } from "./step.ts";

/**
 * The ways in which an attempt ends, each one transaction under the fence that its holder knows: the
 * effect is kept, given up, shown as unknown, or taken back because it cannot be kept.
 */

/**
 * Writes that the effect happened: heard, looked up, or ruled by an operator. Throws `LostLease` when
 * another process took the attempt over, or another operator was first.
 */
export async function settle<Input extends object, Message, Result, Outcome>(
  outbound: Outbound,
  operation: OutboundOperation<Input, Message, Result, Outcome>,
  { attempt, result, ruling }: { attempt: Attempt<Input>; result: Result; ruling?: Ruling },
): Promise<Outcome> {
  const { keep, settleAll } = operation;
  const { account_id, subject_id } = attempt;
  if (keep) await step(outbound, { name: "keep", of: operation }, () => keep(attempt, result));
  const settleAlone = async (tx: Tx) => {
    await store.endAttempts(tx, [{ attempt, status: "settled", decision: ruling?.decision }]);
    await ruling?.record(tx);
    return operation.settle(tx, attempt, result);
  };
  const shared = settleAll &&
    !ruling && {
      ...{ kind: `settle ${operation.kind}`, subject: subject_id, item: { attempt, result } },
      async work(tx: Tx, effects: readonly Effect<Input, Result>[]) {
        const ends = effects.map((each) => ({ attempt: each.attempt, status: "settled" as const }));
        await store.endAttempts(tx, ends);
        return settleAll(tx, effects);
      },
    };
  return step(outbound, { name: "settle", of: operation }, () =>
    store.orLostLease(
      attempt,
      shared
        ? inSharedTransaction(outbound.db, account_id, shared)
        : inAccountTransaction(outbound.db, account_id, settleAlone),
    ),
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
    store.orLostLease(
      attempt,
      inAccountTransaction(outbound.db, attempt.account_id, async (tx) => {
        await store.endAttempts(tx, [{ attempt, status, failure, decision: ruling?.decision }]);
        await ruling?.record(tx);
        await operation.release(tx, attempt, failure);
      }),
    ),
  );
}

/** Shows that the outcome is unknown, and lets recovery look for it at once. */
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
