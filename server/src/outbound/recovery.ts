import { inTransaction } from "../database/connect.ts";
import { LostLease } from "./attempt-store.ts";
import { lookUpSeconds, withDeadline } from "./deadline.ts";
import { giveUp, settle, takeBack } from "./endings.ts";
import { toFailure, type Failure, type Outbound, type OutboundOperation } from "./operation.ts";
import * as store from "./recovery-store.ts";
import { step } from "./step.ts";

/**
 * Finds out what became of attempts whose outcome nobody heard, and brings each to its one end: what
 * the party has is kept and paid, what it does not have is released. Runs every second in every
 * worker; `SKIP LOCKED` and the fence let any number of them run at once.
 */

// Inputs and results differ from kind to kind; recovery only carries them from one method of the
// same operation to the next, so it need not know them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyOperation = OutboundOperation<any, any, any, any>;

/** What takes attempts takes them of all kinds. */
export const everyKind = { kind: "*" };
export const batchSize = 20;

/** Looks for every outcome that is due. Returns how many attempts it looked at. */
export async function recoverDue(
  outbound: Outbound,
  operations: readonly AnyOperation[],
): Promise<number> {
  const due = await step(outbound, { name: "take_over", of: everyKind }, () =>
    store.takeOverDue(outbound.db, { ...outbound, limit: batchSize }),
  );
  await Promise.all(
    due.map((attempt) => guarded(outbound, attempt, () => resolve(outbound, operations, attempt))),
  );
  return due.length;
}

async function resolve(
  outbound: Outbound,
  operations: readonly AnyOperation[],
  attempt: store.DueAttempt,
): Promise<void> {
  const operation = operationOf(operations, attempt);
  if (!operation.canBeLookedUp(attempt.input)) return toReview(outbound, operation, { attempt });
  let result: unknown;
  try {
    result = await learn(outbound, operation, attempt);
  } catch (error) {
    return unheardAgain(outbound, operation, { attempt, error });
  }
  if (result !== null) {
    await keepOrTakeBack(outbound, operation, { attempt, result });
  } else if (attempt.sent_seconds_ago < operation.horizonSeconds(attempt.input)) {
    await lookAgain(outbound, operation, { attempt, heard: true });
  } else {
    const failure: Failure = (attempt.unwanted && attempt.failure) || {
      kind: "absent",
      party: attempt.party,
      party_code: "not_found",
      message: "The request never took effect at the other side; nothing was charged.",
    };
    await giveUp(outbound, operation, { attempt, failure, status: "absent" });
    outbound.log.info({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.given_up");
  }
}

/** What the party has is settled, unless it is not what was asked for. */
async function keepOrTakeBack(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, result }: { attempt: store.DueAttempt; result: unknown },
): Promise<void> {
  const failure = await unwantedFor(operation, { attempt, result });
  if (failure === null) {
    await settle(outbound, operation, { attempt, result });
    outbound.log.info({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.recovered");
    return;
  }
  try {
    await takeBack(outbound, operation, { attempt, result, failure });
  } catch (error) {
    if (error instanceof LostLease) throw error;
    outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.not_taken_back");
    const isRefused = toFailure(attempt, error).kind === "refused";
    if (isRefused && attempt.look_count >= looksBeforeReview)
      return toReview(outbound, operation, { attempt });
    await lookAgain(outbound, operation, { attempt, heard: true });
  }
}

/** A party that refuses for some minutes to take back what it did will not do it: the operator decides. */
const looksBeforeReview = 10;

/** Once somebody began to undo it, there is no way back, however good it looks now. */
async function unwantedFor(
  operation: AnyOperation,
  { attempt, result }: { attempt: store.DueAttempt; result: unknown },
): Promise<Failure | null> {
  if (attempt.unwanted && attempt.failure) return attempt.failure;
  const flaw = await operation.flawIn?.(attempt, result);
  return flaw ? toFailure(attempt, flaw) : null;
}

export async function learn(
  outbound: Outbound,
  operation: AnyOperation,
  attempt: store.DueAttempt,
): Promise<unknown> {
  const { recovery } = operation;
  return step(outbound, { name: "look_up", of: operation }, () =>
    withDeadline<unknown>(lookUpSeconds, (signal) =>
      recovery.by === "find" ? recovery.find(attempt, signal) : recovery.repeat(attempt, signal),
    ),
  );
}

/**
 * A look-up that fails says nothing about the effect; a repeated call may be refused for good. A party
 * that cannot be asked at all, because it is gone or our credentials are, is not asked for ever.
 */
async function unheardAgain(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, error }: { attempt: store.DueAttempt; error: unknown },
): Promise<void> {
  const failure = toFailure(attempt, error);
  if (operation.recovery.by === "repeat" && failure.kind === "refused") {
    return giveUp(outbound, operation, { attempt, failure, status: "refused" });
  }
  outbound.log.warn({ attempt_id: attempt.id, failure }, "outbound.look_up_failed");
  if ((attempt.unheard_seconds ?? 0) >= outbound.review_after_seconds)
    return toReview(outbound, operation, { attempt, failure });
  await lookAgain(outbound, operation, { attempt, heard: false });
}

export async function lookAgain(
  outbound: Outbound,
  operation: AnyOperation,
  {
    attempt,
    heard,
    seconds = pauseSeconds(attempt.look_count),
  }: { attempt: store.DueAttempt; heard: boolean; seconds?: number },
): Promise<void> {
  await step(outbound, { name: "look_again", of: operation }, () =>
    store.lookAgainIn(outbound.db, attempt, { seconds, heard }),
  );
}

/**
 * Leaves it to an operator: see review.ts. The effect's subject says so too, which it does not yet when
 * whoever caused it died.
 */
async function toReview(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, failure = null }: { attempt: store.DueAttempt; failure?: Failure | null },
): Promise<void> {
  await step(outbound, { name: "review", of: operation }, () =>
    inTransaction(outbound.db, async (tx) => {
      await store.leaveToReview(tx, attempt, failure);
      await operation.suspend(tx, attempt, failure ?? toFailure(attempt, null));
    }),
  );
  outbound.log.error({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.needs_review");
}

/** The operation that the attempt is one of. Throws for a kind that this release does not know. */
export function operationOf(
  operations: readonly AnyOperation[],
  attempt: { kind: string },
): AnyOperation {
  const operation = operations.find(({ kind }) => kind === attempt.kind);
  if (!operation) throw new Error(`no operation is called ${attempt.kind}`);
  return operation;
}

/** 1, 2, 4, 8 … seconds, at most a minute: quick while a client may be waiting, then patient. */
function pauseSeconds(lookCount: number): number {
  return Math.min(60, 2 ** Math.min(lookCount - 1, 6));
}

/** One attempt's trouble must not keep the others from being looked at. */
export async function guarded(
  outbound: Outbound,
  attempt: store.DueAttempt,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    outbound.log.error({ attempt_id: attempt.id, err: error }, "outbound.recovery_failed");
  }
}
