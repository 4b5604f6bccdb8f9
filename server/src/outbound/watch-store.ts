import { sql } from "kysely";
import type { Database } from "../database/tables.ts";
import type { DueAttempt } from "./recovery-store.ts";

/** The SQL of attempts that were given up and are looked for again. */

export interface WatchedAttempt extends DueAttempt {
  given_up_seconds_ago: number;
}

/** Takes up to `limit` given-up attempts that are to be looked for once more. */
export async function takeWatched(
  db: Database,
  claim: { lease_seconds: number; limit: number },
): Promise<WatchedAttempt[]> {
  const { rows } = await sql<WatchedAttempt>`
    WITH due AS (
      SELECT account_id, id FROM attempts
      WHERE status = 'absent' AND look_at <= now()
      ORDER BY look_at LIMIT ${claim.limit} FOR UPDATE SKIP LOCKED)
    UPDATE attempts
    SET look_count = look_count + 1, fence = fence + 1,
      look_at = now() + make_interval(secs => ${claim.lease_seconds})
    FROM due WHERE attempts.account_id = due.account_id AND attempts.id = due.id
    RETURNING attempts.*, extract(epoch FROM now() - begun_at)::float AS sent_seconds_ago,
      extract(epoch FROM now() - resolved_at)::float AS given_up_seconds_ago,
      extract(epoch FROM now() - unheard_since)::float AS unheard_seconds`.execute(db);
  return rows;
}

/** The last look: nothing more will be asked about this attempt. */
export async function stopWatching(db: Database, attempt: DueAttempt): Promise<void> {
  await db
    .updateTable("attempts")
    .set({ look_at: null })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .execute();
}
