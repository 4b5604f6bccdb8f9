import { lookUpSeconds, withDeadline } from "./deadline.ts";
import { toFailure, type Outbound } from "./operation.ts";
import {
  batchSize,
  everyKind,
  guarded,
  learn,
  lookAgain,
  operationOf,
  type AnyOperation,
} from "./recovery.ts";
import { step } from "./step.ts";
import * as store from "./watch-store.ts";

/**
 * The watch over what was given up because no look-up found it: a party that was slower than it said may
 * have done it all the same, and then it is undone there.
 */

/** Looks once more for what was given up; undoes at the party what appeared after all. */
export async function watchGivenUp(
  outbound: Outbound,
  operations: readonly AnyOperation[],
): Promise<number> {
  const due = await step(outbound, { name: "take_watched", of: everyKind }, () =>
    store.takeWatched(outbound.db, { ...outbound, limit: batchSize }),
  );
  await Promise.all(
    due.map((attempt) => guarded(outbound, attempt, () => watch(outbound, operations, attempt))),
  );
  return due.length;
}

/** Since it was given up: after a minute, ten more, an hour more and a day more the party has had its time. */
const watchMoments = [60, 660, 4_260, 90_660];
/** A party that could not be asked for another day after that is not asked any more. */
const watchSecondsMax = 2 * 90_660;

async function watch(
  outbound: Outbound,
  operations: readonly AnyOperation[],
  attempt: store.WatchedAttempt,
): Promise<void> {
  const operation = operationOf(operations, attempt);
  const { undo } = operation;
  const canBeFound = operation.recovery.by === "find" && operation.canBeLookedUp(attempt.input);
  if (!canBeFound || !undo) return stopWatching(outbound, operation, attempt);
  let result: unknown;
  try {
    result = await learn(outbound, operation, attempt);
  } catch (error) {
    return unwatched(outbound, operation, { attempt, error });
  }
  if (result !== null) {
    await step(outbound, { name: "undo", of: operation }, () =>
      withDeadline(lookUpSeconds, (signal) => undo(attempt, result, signal)),
    );
    outbound.log.warn({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.undone_late");
    return stopWatching(outbound, operation, attempt);
  }
  const { given_up_seconds_ago: ago } = attempt;
  const next = watchMoments.find((moment) => moment > ago);
  if (next === undefined) return stopWatching(outbound, operation, attempt);
  await lookAgain(outbound, operation, { attempt, seconds: next - ago, heard: true });
}

/** A look that nobody answered was none: it is made up for as soon as somebody answers. */
async function unwatched(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, error }: { attempt: store.WatchedAttempt; error: unknown },
): Promise<void> {
  const failure = toFailure(attempt, error);
  outbound.log.warn({ attempt_id: attempt.id, failure }, "outbound.look_up_failed");
  if (attempt.given_up_seconds_ago > watchSecondsMax)
    return stopWatching(outbound, operation, attempt);
  await lookAgain(outbound, operation, { attempt, heard: false });
}

async function stopWatching(
  outbound: Outbound,
  operation: AnyOperation,
  attempt: store.WatchedAttempt,
): Promise<void> {
  await step(outbound, { name: "stop_watching", of: operation }, () =>
    store.stopWatching(outbound.db, attempt),
  );
}
