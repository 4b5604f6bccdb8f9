import { sql } from "kysely";
import { newId } from "../domain/ids.ts";
import type { Database } from "./tables.ts";

/**
 * How a process says that it lives. Whatever it has claimed (idempotency keys, attempts) names its row
 * in `processes`; when the heartbeat is older than the lease, others may take the claims over. One
 * update renews them all. Times are the database's.
 */
export interface Heartbeat {
  process_id: string;
  /** Removes the row: what was claimed is free at once. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  role: string;
  lease_seconds: number;
  log: { error(details: object, event: string): void };
}

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
  const timer = setInterval(
    () => {
      beat(db, process_id, role).catch((error: unknown) =>
        log.error({ err: error }, "heartbeat.missed"),
      );
    },
    (lease_seconds * 1000) / 4,
  );
  return {
    process_id,
    async stop() {
      clearInterval(timer);
      await db.deleteFrom("processes").where("id", "=", process_id).execute();
    },
  };
}

/** Inserts again what a long sleep let others sweep away. */
async function beat(db: Database, id: string, role: string): Promise<void> {
  await db
    .insertInto("processes")
    .values({ id, role })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ heartbeat_at: sql<Date>`now()` }))
    .execute();
}
