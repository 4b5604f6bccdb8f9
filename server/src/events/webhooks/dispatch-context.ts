import type { FastifyBaseLogger } from "fastify";
import type { Counter, Gauge, Histogram } from "prom-client";
import type { Database } from "../../database/tables.ts";
import type { RetrySchedule } from "../../domain/events/retry-schedule.ts";
import type { CrashPoints } from "../../domain/scheduling/step.ts";
import type { Clock } from "../../domain/time/clock.ts";
import type { PublicCaller } from "../../transport/public-call.ts";

/** What dispatch needs of the process. */
export interface DispatchContext {
  db: Database;
  log: FastifyBaseLogger;
  clock: Clock;
  process_id: string;
  lease_seconds: number;
  schedule: RetrySchedule;
  post: PublicCaller["post"];
  /** The secrets in force of an account's webhooks, by webhook, the newest first. */
  secretsOf(account_id: string, webhook_ids: readonly string[]): Promise<Map<string, string[]>>;
  metrics: DispatchMetrics;
  crash_points?: CrashPoints;
}

interface DispatchMetrics {
  webhook_deliveries: Counter<"result">;
  webhook_delivery_seconds: Histogram;
  webhook_lanes: Gauge<"pool">;
  webhook_places: Gauge<"pool">;
  webhook_pending_oldest_seconds: Gauge;
  webhooks_disabled: Counter<"reason">;
}

/** Of the crash points of dispatch. */
export const ofWebhook = { kind: "webhook" };
