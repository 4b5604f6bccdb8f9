import type { EventType } from "../../domain/events/catalogue.ts";
import type { Delivery, DeliveryAttempt } from "./schemas.ts";
import type { AttemptRow, DeliveryRow } from "./store.ts";

/** As the API shows it. `next_attempt_at` is the next try of a pending one; null for one that has ended. */
export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type: row.event_type as EventType,
    trigger: row.trigger,
    status: row.status,
    attempt_count: row.attempt_count,
    last_status: row.last_status,
    last_error: row.last_error,
    next_attempt_at: row.status === "pending" ? (row.due_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** As the API shows it: `status` is null where no answer came, and `ms` the time until the answer or the error. */
export function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    number: row.number,
    at: row.at.toISOString(),
    ms: row.ms,
    status: row.status,
    error: row.error,
    response_excerpt: row.response_excerpt,
  };
}
