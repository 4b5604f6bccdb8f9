import { sql } from "kysely";
import { newId } from "../../domain/values/ids.ts";
import { pause } from "../retry.ts";
import type { Database } from "../tables.ts";

/**
 * How a process shows that it is alive. Its claims (idempotency keys, attempts) name its row in `processes`;
 * when the heartbeat is older than the lease, other processes may take the claims over. One update renews
 * them all. Times are the database's.
 */
interface Heartbeat {
  process_id: string;
  /** Removes the row: its claims are free at once. Never throws; a row that remains expires. */
  stop(): Promise<void>;
}

interface HeartbeatOptions {
  role: string;
  lease_seconds: number;
  /** Logs, once per fault, `heartbeat.missed` and `heartbeat.lapsed` (claims may have been taken over). */
  log: { error(details: object, event: string): void };
}

const retryMs = 250;

export async function startHeartbeat(
  db: Database,
  { role, lease_seconds, log }: HeartbeatOptions,
): Promise<Heartbeat> {
  const process_id = newId("prc");
  await beat(db, process_id, role);
  await db
    .deleteFrom("processes")
    .where("heartbeat_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();

  let isMissed = false;
  async function renew(): Promise<void> {
    try {
      const silent_seconds = await beat(db, process_id, role);
      isMissed = false;
      // The fences of the claims prevent writes under a lost lease; an operator should know all the same that
      // this process was paused.
      if (silent_seconds === null || silent_seconds > lease_seconds)
        log.error({ process_id, silent_seconds, lease_seconds }, "heartbeat.lapsed");
    } catch (error) {
      if (!isMissed) log.error({ err: error }, "heartbeat.missed");
      isMissed = true;
    }
  }

  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Once the database is available, the row has to be renewed before others count this process as dead.
      await pause(isMissed ? retryMs : (lease_seconds * 1000) / 4, stopping.signal);
      if (!stopping.signal.aborted) await renew();
    }
  }
  const running = run();
  return {
    process_id,
    async stop() {
      stopping.abort();
      // A renewal in progress would insert the row again.
      await running;
      await db
        .deleteFrom("processes")
        .where("id", "=", process_id)
        .execute()
        .catch((error: unknown) => log.error({ err: error }, "heartbeat.not_removed"));
    },
  };
}

/**
 * Writes the heartbeat, and inserts the row again if it was swept. Returns for how many seconds there was no
 * heartbeat; null when there was no row.
 */
async function beat(db: Database, id: string, role: string): Promise<number | null> {
  const { rows } = await sql<{ silent_seconds: number | null }>`
    WITH former AS (SELECT heartbeat_at FROM processes WHERE id = ${id})
    INSERT INTO processes (id, role) VALUES (${id}, ${role})
    ON CONFLICT (id) DO UPDATE SET heartbeat_at = now()
    RETURNING (SELECT extract(epoch FROM now() - heartbeat_at)::float FROM former) AS silent_seconds`.execute(
    db,
  );
  return rows[0]?.silent_seconds ?? null;
}
