import { sql } from "kysely";
import type { Database } from "../tables.ts";

/**
 * How many processes of this platform serve or work, read at most once in half a lease and in the background: 1 until it
 * is known. A process that starts or ends is counted a lease later at the latest.
 */
export function countedProcesses(
  db: Database,
  { lease_seconds }: { lease_seconds: number },
): () => number {
  let count = 1;
  let read_at = -Infinity;
  async function read(): Promise<void> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM processes
      WHERE role <> 'shell' AND heartbeat_at > now() - make_interval(secs => ${lease_seconds})`.execute(
      db,
    );
    count = Math.max(1, rows[0]!.count);
  }
  return () => {
    const now = performance.now();
    if (now - read_at >= lease_seconds * 500) {
      read_at = now;
      // While the database is unavailable the last count stands.
      read().catch(() => undefined);
    }
    return count;
  };
}
