import { backoffSeconds } from "../../domain/scheduling/backoff.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";

/** When to ask a carrier again (decision 19): often where there is news, seldom where there is none. */

const daySeconds = 86_400;

export interface Enrichment {
  status: TrackingStatus;
  /** Since the last news. */
  quiet_seconds: number;
  /** Looks in a row that were not answered. */
  failure_count: number;
}

/**
 * Seconds until the next look; null when there is nothing more to learn, after the delivery and after so
 * many days of silence. `spread` is a random number from 0 to 1: what was bought at once need not be asked
 * for at once.
 */
export function nextPollSeconds(
  { status, quiet_seconds, failure_count }: Enrichment,
  { base_seconds, silent_days_max }: { base_seconds: number; silent_days_max: number },
  spread: number,
): number | null {
  if (status === "delivered" || quiet_seconds > silent_days_max * daySeconds) return null;
  // On the day of the delivery everybody looks.
  const shortest = status === "out_for_delivery" ? base_seconds / 2 : base_seconds;
  const usual = Math.max(shortest, quiet_seconds / 10);
  const backedOff = backoffSeconds(failure_count + 1, { first: usual, max: daySeconds });
  return backedOff * (1 + spread / 10);
}
