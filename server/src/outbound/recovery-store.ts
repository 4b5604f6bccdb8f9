import { sql } from "kysely";
import { columnsOf } from "../database/columns.ts";
import { claimByParty, type DueAtParties, type Places } from "../database/leases/claim-by-party.ts";
import { holderIsDead } from "../database/leases/holder.ts";
import type { Database, Tx } from "../database/tables.ts";
import { LostLease, unlessToBeReversed } from "./attempt-store.ts";
import { lookupSeconds } from "./deadline.ts";
import { bySystem } from "../domain/accounts/principal.ts";
import type { Attempt, Failure } from "./operation.ts";

/** The SQL of recovery: which attempts are due for a lookup, and what a lookup writes. */

export interface DueAttempt extends Attempt<object> {
  kind: string;
  /**
   * `absent`: it was marked not executed, and is looked up again. `review`: an operator may decide it, and it
   * is looked up until then.
   */
  status: "unknown" | "absent" | "review";
  look_count: number;
  /** How often reversing its effect failed. */
  undo_count: number;
  sent_seconds_ago: number;
  /** Since when it has been marked not executed; null for what is unknown. */
  not_executed_seconds_ago: number | null;
  /** Its effect is to be reversed for the reason in `failure`: what a lookup finds is not settled. */
  unwanted: boolean;
  failure: Failure | null;
  /** For how long every lookup has failed; null when the last one did not. */
  unheard_seconds: number | null;
}

/** The origin of attempts begun by a release that did not store one: the loop that ends them. */
export const { actor: unknownActor } = bySystem("outbound.recover");

const openAttempts: DueAtParties = {
  table: "attempts",
  key: ["id"],
  party: "party",
  at: "look_at",
  is_listed: "look_at IS NOT NULL",
  is_backlog: "look_at IS NOT NULL AND status IN ('unknown', 'absent')",
};

/**
 * Takes over attempts that are due for a lookup, some of each party and of its accounts round-robin:
 * suspended ones, overdue ones, those of dead processes, and those marked not executed that are looked up
 * again. The fence rises, so their former holders cannot settle; for the longest duration of a lookup no
 * other process takes them while this one is alive. Only of these kinds, because an older release does not
 * know the operations of others.
 */
export async function takeOverDue(
  db: Database,
  claim: {
    process_id: string;
    lease_seconds: number;
    kinds: readonly string[];
    places: Places;
  },
): Promise<DueAttempt[]> {
  const isHolderDead = holderIsDead("holder_id", claim.lease_seconds);
  return claimByParty<DueAttempt>(db, openAttempts, {
    places: claim.places,
    is_due: sql`status IN ('sent', 'unknown', 'absent', 'review') AND kind = ANY (${[...claim.kinds]}::text[])
      AND (look_at <= now() OR (holder_id IS NOT NULL AND ${isHolderDead}))`,
    take: (due) => sql`
      WITH ${due}
      UPDATE attempts
      SET status = CASE WHEN status IN ('absent', 'review') THEN status ELSE 'unknown' END, holder_id = ${claim.process_id},
        actor = coalesce(actor, ${unknownActor}), fence = fence + 1, look_count = look_count + 1,
        look_at = now() + make_interval(secs => ${claim.lease_seconds + lookupSeconds})
      FROM due WHERE attempts.account_id = due.account_id AND attempts.id = due.id
      RETURNING ${columnsOf("attempts")}, extract(epoch FROM now() - begun_at)::float AS sent_seconds_ago,
        extract(epoch FROM now() - resolved_at)::float AS not_executed_seconds_ago,
        extract(epoch FROM now() - unheard_since)::float AS unheard_seconds`,
  });
}

/** The result of a lookup that did not end the attempt. */
export interface Look {
  /** When to look it up again; null for never. */
  seconds: number | null;
  /** Whether the party responded at all. */
  has_response: boolean;
  /** It was found and is to be reversed, and that failed. */
  is_undo_failed?: boolean;
}

/** Schedules the next lookup, and lets any process do it. */
export async function scheduleLookup(
  db: Database,
  attempt: Pick<DueAttempt, "account_id" | "id" | "fence">,
  { seconds, has_response, is_undo_failed = false }: Look,
): Promise<void> {
  await db
    .updateTable("attempts")
    .set({
      look_at: seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`,
      unheard_since: has_response ? null : sql<Date>`coalesce(unheard_since, now())`,
      undo_count: sql<number>`undo_count + ${is_undo_failed ? 1 : 0}`,
      holder_id: null,
    })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .where("status", "in", ["unknown", "absent", "review"])
    .execute();
}

/**
 * Leaves the attempt to an operator: it is not looked up any more, or in so many seconds. `failure` is the
 * last known outcome; without one, the stored failure stays, as does the reason why an effect is to be
 * reversed. A decision that it is void is forgotten here, not in the audit log: it has to be decided anew.
 * Throws `LostLease` when this process has lost it.
 */
export async function leaveToReview(
  tx: Tx,
  attempt: Pick<Attempt<object>, "account_id" | "id" | "fence">,
  { failure, look_seconds }: { failure: Failure | null; look_seconds: number | null },
): Promise<void> {
  const left = await tx
    .updateTable("attempts")
    .set({
      status: "review",
      ...(failure ? { failure: unlessToBeReversed(failure) } : {}),
      decision: null,
      // It appeared after it had been given up: a lookup after the next decision would only find it again.
      unwanted: sql<boolean>`unwanted OR status = 'absent'`,
      holder_id: null,
      look_at:
        look_seconds === null ? null : sql<Date>`now() + make_interval(secs => ${look_seconds})`,
    })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent", "review"])
    .executeTakeFirst();
  if (left.numUpdatedRows === 0n) throw new LostLease(attempt);
}
