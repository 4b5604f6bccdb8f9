import { pruneRuns } from "../automation/run-store.ts";
import type { Platform } from "../context.ts";
import { keepPartitions } from "../database/partitions.ts";
import { pruneByAccount } from "../database/prune-by-account.ts";
import type { Database } from "../database/tables.ts";
import type { Loop } from "../jobs/loops.ts";
import { pruneImportRows } from "../resources/imports/service.ts";
import { noteGapsOfTheDead, pruneGaps } from "../request-log/store.ts";

/** What removes old rows of logs, and makes room for new ones. */

const dayMs = 86_400_000;

/** Makes and drops the partitions of the logs. Also for the start, so that the first line finds its day's. */
export async function keepLogPartitions({
  db,
  config,
  clock,
}: Pick<Platform, "db" | "config" | "clock">): Promise<void> {
  const tables = [
    { table: "delivery_attempts", days: config.events_days },
    { table: "request_log", days: config.request_log_days },
    { table: "request_subjects", days: config.request_log_days },
    { table: "request_bodies", days: config.request_bodies_days },
    { table: "carrier_calls", days: config.request_bodies_days },
  ];
  await keepPartitions(db, tables, clock.now());
  await pruneGaps(db, new Date(clock.now().getTime() - config.request_log_days * dayMs));
}

interface Old {
  signal: AbortSignal;
  prune(db: Database, accountId: string, before: Date): Promise<boolean>;
  days: number;
}

async function pruned({ db, clock }: Platform, { signal, prune, days }: Old): Promise<boolean> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  await pruneByAccount({ db, signal, prune: (accountId) => prune(db, accountId, before) });
  return false;
}

/** The loops of this file. */
export function logUpkeepLoops(platform: Platform): Loop[] {
  const { config } = platform;
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
      name: "rule_runs.prune",
      every_ms: dayMs,
      run: (signal) => pruned(platform, { signal, prune: pruneRuns, days: config.rule_runs_days }),
    },
    {
      name: "import_rows.prune",
      every_ms: dayMs,
      run: (signal) =>
        pruned(platform, { signal, prune: pruneImportRows, days: config.import_rows_days }),
    },
    {
      name: "logs.note_gaps",
      every_ms: 5000,
      run: async () => {
        await noteGapsOfTheDead(platform.db, config.lease_seconds);
        return false;
      },
    },
  ];
}
