import { sql } from "kysely";
import { inTransaction } from "../database/connect.ts";
import { pipelined, withCommit } from "../database/driver/sending.ts";
import { insertOf } from "../database/insert-of.ts";
import type { Database, Tables } from "../database/tables.ts";
import type { LogLine, Lost } from "./ring.ts";

export interface Batch {
  process_id: string;
  lines: readonly LogLine[];
  lost: Lost | null;
}

/**
 * Writes lines in one round trip and one commit. May be repeated with the same lines, when it is not known
 * whether it was carried out.
 */
export async function writeLines(db: Database, batch: Batch): Promise<void> {
  const inserts = [...rowsOf(batch)].filter(([, rows]) => rows.length > 0);
  const statements = inserts.map(
    ([table, rows]) => sql`${insertOf(table, rows)} ON CONFLICT DO NOTHING`,
  );
  const last = statements.pop();
  if (!last) return;
  await inTransaction(db, async (tx) => {
    for (const statement of statements) await pipelined(statement).execute(tx);
    await withCommit(last).execute(tx);
  });
}

function rowsOf({ process_id, lines, lost }: Batch): Map<keyof Tables, object[]> {
  const calls = lines.flatMap((line) => ("carrier_call" in line ? [line.carrier_call] : []));
  const requests = lines.flatMap((line) => ("request" in line ? [line] : []));
  return new Map<keyof Tables, object[]>([
    ["carrier_calls", calls],
    [
      "request_bodies",
      requests.flatMap(({ request: { account_id, at, id }, bodies }) =>
        bodies ? [{ account_id, at, id, ...bodies }] : [],
      ),
    ],
    [
      "request_subjects",
      requests.flatMap(({ request: { account_id, at, id }, subject_ids }) =>
        subject_ids.map((subject_id) => ({ account_id, at, subject_id, request_log_id: id })),
      ),
    ],
    ["request_log", requests.map(({ request }) => request)],
    [
      "request_log_gaps",
      lost ? [{ process_id, at: lost.at, line_count: Math.min(lost.count, 2 ** 31 - 1) }] : [],
    ],
  ]);
}

/**
 * A process that died lost what it had not written yet. It lived at most until its next heartbeat was due, so
 * that is where the log may have a gap.
 */
export async function noteGapsOfTheDead(db: Database, lease_seconds: number): Promise<void> {
  await sql`
    INSERT INTO request_log_gaps (process_id, at)
    SELECT id, heartbeat_at + make_interval(secs => ${lease_seconds / 4})
    FROM processes WHERE role <> 'shell' AND heartbeat_at < now() - make_interval(secs => ${lease_seconds})
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Gaps are kept for as long as lines are. */
export async function pruneGaps(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM request_log_gaps WHERE at < ${before}`.execute(db);
}
