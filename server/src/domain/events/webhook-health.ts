/** What the outcomes of its deliveries say of a webhook. */
export interface WebhookHealth {
  /** The first failure since the last success; null after a success. */
  failing_since: Date | null;
  /** Failures since the last success. */
  failure_count: number;
  /** Whether the account was told of these failures. */
  is_failing_told: boolean;
  last_success_at: Date | null;
}

/** One success ends the row of failures. */
export function afterSuccess(at: Date): WebhookHealth {
  return { failing_since: null, failure_count: 0, is_failing_told: false, last_success_at: at };
}

/** `failing_since` is the first failure of the row. */
export function afterFailure(health: WebhookHealth, at: Date): WebhookHealth {
  return {
    ...health,
    failing_since: health.failing_since ?? at,
    failure_count: health.failure_count + 1,
  };
}

const tellAfterHours = 24;
const disableAfterHours = 5 * 24;
/** A webhook with few events is not given up for a handful of failures. */
const disableAfterFailures = 20;

/** Whether a webhook that just failed is to be disabled, or its account to be told that it is failing. */
export function consequenceOf(health: WebhookHealth, now: Date): "disable" | "tell" | null {
  const { failing_since, failure_count, is_failing_told } = health;
  if (failing_since === null) return null;
  const hours = (now.getTime() - failing_since.getTime()) / 3_600_000;
  if (hours >= disableAfterHours && failure_count >= disableAfterFailures) return "disable";
  return hours >= tellAfterHours && !is_failing_told ? "tell" : null;
}
