import { sql } from "kysely";
import { inTransaction } from "../database/connect.ts";
import type { Database, Tx } from "../database/tables.ts";
import { LostLease, unlessUnwanted } from "./attempt-store.ts";
import type { Attempt, Failure } from "./operation.ts";

/** The SQL of recovery: which attempts are due to be looked up, and what a look-up leaves behind. */

export interface DueAttempt extends Attempt<object> {
  kind: string;
  look_count: number;
  sent_seconds_ago: number;
  /** Its effect is being undone for the reason in `failure`: what is found is not to be kept. */
  unwanted: boolean;
  failure: Failure | null;
  /** For how long every look-up has failed; null when the last one did not. */
  unheard_seconds: number | null;
}

/**
 * Takes over up to `limit` attempts whose outcome is due to be looked up: suspended ones, overdue
 * ones, and those of processes that died. The fence rises, so their former holders cannot settle;
 * while we look, others leave them alone for a lease. In a transaction, because a statement alone is
 * carried out by a server that wakes up long after we are gone, and then nobody looks for that lease.
 */
export async function takeOverDue(
  db: Database,
  claim: { process_id: string; lease_seconds: number; limit: number },
): Promise<DueAttempt[]> {
  const takeOver = sql<DueAttempt>`
    WITH due AS (
      SELECT account_id, id FROM attempts
      WHERE status IN ('sent', 'unknown') AND (
        look_at <= now()
        OR (status = 'sent' AND NOT EXISTS (
          SELECT FROM processes
          WHERE processes.id = attempts.holder_id
            AND heartbeat_at > now() - make_interval(secs => ${claim.lease_seconds}))))
      ORDER BY look_at LIMIT ${claim.limit} FOR UPDATE SKIP LOCKED)
    UPDATE attempts
    SET status = 'unknown', holder_id = ${claim.process_id}, fence = fence + 1, look_count = look_count + 1,
      look_at = now() + make_interval(secs => ${claim.lease_seconds})
    FROM due WHERE attempts.account_id = due.account_id AND attempts.id = due.id
    RETURNING attempts.*, extract(epoch FROM now() - begun_at)::float AS sent_seconds_ago,
      extract(epoch FROM now() - unheard_since)::float AS unheard_seconds`;
  return (await inTransaction(db, (tx) => takeOver.execute(tx))).rows;
}

/** The outcome is still not known: look again after a while. `heard` says whether the party answered at all. */
export async function lookAgainIn(
  db: Database,
  attempt: Pick<DueAttempt, "account_id" | "id" | "fence">,
  { seconds, heard }: { seconds: number; heard: boolean },
): Promise<void> {
  await db
    .updateTable("attempts")
    .set({
      look_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
      unheard_since: heard ? null : sql<Date>`coalesce(unheard_since, now())`,
    })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .execute();
}

/**
 * Leaves the attempt to an operator: nobody looks it up any more. `failure` is what was last heard;
 * without one, what was heard before stays, as does the reason why an effect is unwanted. Throws
 * `LostLease` when it is no longer ours.
 */
export async function leaveToReview(
  tx: Tx,
  attempt: Pick<Attempt<object>, "account_id" | "id" | "fence">,
  failure: Failure | null,
): Promise<void> {
  const left = await tx
    .updateTable("attempts")
    .set({
      status: "review",
      ...(failure ? { failure: unlessUnwanted(failure) } : {}),
      holder_id: null,
      look_at: null,
    })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown"])
    .executeTakeFirst();
  if (left.numUpdatedRows === 0n) throw new LostLease(attempt);
}
