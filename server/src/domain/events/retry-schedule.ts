/** When a delivery that failed is tried again. */

/** Seconds before each attempt; there are as many attempts as numbers. The first is made at once. */
export type RetrySchedule = readonly number[];

/** Reads the setting: seconds, with commas between them. */
export function readSchedule(text: string): RetrySchedule {
  return text.split(",").map(Number);
}

/** By so much the waits of one moment are spread, so that a receiver that is back is not met by all at once. */
const spread = 0.2;

/**
 * Seconds until the next attempt after so many; null when there is none. A receiver's `Retry-After` counts
 * between once and twice the step. `random` is of [0, 1).
 */
export function nextWaitSeconds(
  schedule: RetrySchedule,
  {
    attempt_count,
    retry_after_seconds,
    random,
  }: { attempt_count: number; retry_after_seconds: number | null; random: number },
): number | null {
  const step = schedule[attempt_count];
  if (step === undefined) return null;
  if (retry_after_seconds !== null)
    return Math.min(Math.max(retry_after_seconds, step), 2 * step);
  return step * (1 - spread + 2 * spread * random);
}
