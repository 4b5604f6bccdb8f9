import { sql } from "kysely";
import { newId } from "../../domain/values/ids.ts";
import { pause } from "../retry.ts";
import type { Database } from "../tables.ts";

/**
 * How a process says that it lives. Whatever it has claimed (idempotency keys, attempts) names its row
 * in `processes`; when the heartbeat is older than the lease, others may take the claims over. One
 * update renews them all. Times are the database's.
 */
export interface Heartbeat {
  process_id: string;
  /** Removes the row: what was claimed is free at once. Never throws; a row left behind ages. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  role: string;
  lease_seconds: number;
  /** Hears once a trouble of `heartbeat.missed`, `heartbeat.lapsed` (others may have taken our claims over). */
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
      // The fences of the claims keep us from writing what is no longer ours; an operator should know
      // all the same that this process stood still.
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
      // Once the database is back, we want to be known to live before others take us for dead.
      await pause(isMissed ? retryMs : (lease_seconds * 1000) / 4, stopping.signal);
      if (!stopping.signal.aborted) await renew();
    }
  }
  const running = run();
  return {
    process_id,
    async stop() {
      stopping.abort();
      // A renewal under way would put the row back.
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
 * Writes that the process lives, and inserts again what was swept away. Returns for how many seconds it
 * had been silent; null when it had no row.
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
