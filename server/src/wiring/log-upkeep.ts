import type { Platform } from "../context.ts";
import { keepPartitions } from "../database/partitions.ts";
import type { Loop } from "../jobs/loops.ts";
import { noteGapsOfTheDead, pruneGaps } from "../request-log/store.ts";

/** What removes old rows of logs, and makes room for new ones. */

/** Makes and drops the partitions of the logs. Also for the start, so that the first line finds its day's. */
export async function keepLogPartitions({ db, config, clock }: Platform): Promise<void> {
  const tables = [
    { table: "delivery_attempts", days: config.events_days },
    { table: "request_log", days: config.request_log_days },
    { table: "request_subjects", days: config.request_log_days },
    { table: "request_bodies", days: config.request_bodies_days },
    { table: "carrier_calls", days: config.request_bodies_days },
  ];
  await keepPartitions(db, tables, clock.now());
  await pruneGaps(db, new Date(clock.now().getTime() - config.request_log_days * 86_400_000));
}

/** The loops of this file. */
export function logUpkeepLoops(platform: Platform): Loop[] {
  return [
    {
      name: "logs.partition",
      every_ms: 600_000,
      run: async () => {
        await keepLogPartitions(platform);
        return false;
      },
    },
    {
      name: "logs.note_gaps",
      every_ms: 5000,
      run: async () => {
        await noteGapsOfTheDead(platform.db, platform.config.lease_seconds);
        return false;
      },
    },
  ];
}
