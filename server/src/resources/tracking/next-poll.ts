import { backoffSeconds } from "../../domain/scheduling/backoff.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";

/** When to poll a carrier again (decision 19): often where there is news, seldom where there is none. */

const daySeconds = 86_400;

export interface PolledTracker {
  status: TrackingStatus;
  /** Since the last news. */
  quiet_seconds: number;
  /** Consecutive polls without a response. */
  failure_count: number;
}

/**
 * Seconds until the next poll; null when there is nothing more to learn, after the delivery and after so many
 * days without news. `spread` is a random number from 0 to 1: parcels bought together need not be polled
 * together.
 */
export function nextPollSeconds(
  { status, quiet_seconds, failure_count }: PolledTracker,
  { base_seconds, quiet_days_max }: { base_seconds: number; quiet_days_max: number },
  spread: number,
): number | null {
  if (status === "delivered" || quiet_seconds > quiet_days_max * daySeconds) return null;
  // On the day of the delivery recipients check often.
  const shortest = status === "out_for_delivery" ? base_seconds / 2 : base_seconds;
  const usual = Math.max(shortest, quiet_seconds / 10);
  const backedOff = backoffSeconds(failure_count + 1, { first: usual, max: daySeconds });
  return backedOff * (1 + spread / 10);
}
