import type { ConnectionRow } from "../../shipping/connections/store.ts";
import type { Connection } from "./schemas.ts";

/** A connection as it is shown: never with its secrets, sealed or not. */
export function toConnectionView(row: ConnectionRow): Connection {
  return {
    id: row.id,
    carrier: row.carrier,
    environment: row.environment,
    name: row.name,
    values: row.plain_values,
    secret_hint: row.secret_hint,
    status: row.status,
    is_default: row.is_default,
    unheard_policy: row.unheard_policy,
    budgets: row.budgets,
    last_test: row.last_test,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
