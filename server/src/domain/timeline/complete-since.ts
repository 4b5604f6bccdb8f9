/** What is kept for a number of days. */
export interface Retention {
  days: readonly number[];
  /** When lines of a log were lost last, or there was none before; null when none ever were. */
  last_gap: Date | null;
}

const dayMs = 86_400_000;

/**
 * Since when a timeline has everything: the latest moment from before which something may be gone. Null when that
 * is before the subject was created.
 */
export function completeSince(
  created_at: Date,
  { days, last_gap }: Retention,
  now: Date,
): Date | null {
  const pruned = now.getTime() - Math.min(...days) * dayMs;
  const since = Math.max(pruned, last_gap?.getTime() ?? 0);
  return since > created_at.getTime() ? new Date(since) : null;
}
