import type { Webhook } from "./schemas.ts";
import type { HealthyWebhook } from "./store.ts";

export function toWebhook(row: HealthyWebhook): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    status: row.status,
    disabled_reason: row.disabled_reason as Webhook["disabled_reason"],
    max_in_flight: row.max_in_flight,
    since_position: String(row.since_position),
    health: {
      pending: row.pending,
      oldest_pending_at: row.oldest_pending_at?.toISOString() ?? null,
      failing_since: row.failing_since?.toISOString() ?? null,
      last_success_at: row.last_success_at?.toISOString() ?? null,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
