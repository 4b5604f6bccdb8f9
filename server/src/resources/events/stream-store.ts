import { sql } from "kysely";
import { rowsOfAccounts } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";

/** Those of the tokens that are in force: not revoked, not expired, and of an account that is not suspended. */
export async function listInForce(
  db: Database,
  tokens: readonly { account_id: string; token_id: string }[],
  now: Date,
): Promise<Set<string>> {
  const named = tokens.map(({ account_id, token_id }) => ({ account_id, token_id }));
  const { rows } = await sql<{ id: string }>`
    SELECT tokens.id FROM ${rowsOfAccounts(named, "token_id text")} AS each
    JOIN tokens ON tokens.account_id = each.account_id AND tokens.id = each.token_id
    JOIN accounts ON accounts.account_id = each.account_id
    WHERE (tokens.revoked_at IS NULL OR tokens.revoked_at > ${now})
      AND (tokens.expires_at IS NULL OR tokens.expires_at > ${now}) AND accounts.suspended_at IS NULL`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
