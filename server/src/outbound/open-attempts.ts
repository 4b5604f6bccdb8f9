import { inTransaction } from "../database/connect.ts";
import { recordEvent } from "../events/outbox.ts";
import { toFailure, type AnyOperation, type Failure, type Outbound } from "./operation.ts";
import * as store from "./recovery-store.ts";
import { step } from "../domain/scheduling/step.ts";

/** How recovery leaves an attempt that it could not end: to a later lookup, or to an operator. */

/** Schedules the next lookup, and lets any process do it. */
export async function retryLookup(
  outbound: Outbound,
  operation: AnyOperation,
  { attempt, ...look }: { attempt: store.DueAttempt } & store.Look,
): Promise<void> {
  await step(outbound, { name: "look_again", of: operation }, () =>
    store.scheduleLookup(outbound.db, attempt, look),
  );
}

/**
 * Leaves it to an operator: see review.ts. The effect's subject shows so too, which it does not yet when the
 * process that caused it died.
 */
export async function toReview(
  outbound: Outbound,
  operation: AnyOperation,
  {
    attempt,
    failure = null,
    look_seconds = null,
  }: {
    attempt: store.DueAttempt;
    failure?: Failure | null;
    /** In how long it is looked up again, until it is decided; null for never. */
    look_seconds?: number | null;
  },
): Promise<void> {
  await step(outbound, { name: "review", of: operation }, () =>
    inTransaction(outbound.db, async (tx) => {
      await store.leaveToReview(tx, attempt, { failure, look_seconds });
      const { account_id, subject_id, kind } = attempt;
      const data = { subject_id, kind, status: "review" as const };
      await recordEvent(tx, { account_id, type: "review.needed", subject_id, data, by: attempt });
      // What was marked not executed no longer changes its subject: it may have another label by now.
      if (attempt.status === "absent") return;
      await operation.suspend(tx, attempt, failure ?? toFailure(attempt, null));
    }),
  );
  outbound.log.error({ attempt_id: attempt.id, kind: attempt.kind }, "outbound.needs_review");
}
