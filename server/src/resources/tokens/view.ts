import type { Environment } from "../../database/tables.ts";
import type { Token } from "./schemas.ts";
import type { TokenRow } from "./store.ts";

export function toToken(row: TokenRow, environment: Environment): Token {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    environment,
    last_four: row.last_four,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
