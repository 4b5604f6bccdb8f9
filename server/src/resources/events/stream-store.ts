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

/**
 * Those of the sessions that are in force, each for the role that it has in the account's organization: with
 * another role, the stream begins anew.
 */
export async function listSessionsInForce(
  db: Database,
  sessions: readonly { account_id: string; session_id: string; role: string }[],
  now: Date,
): Promise<Set<string>> {
  const named = sessions.map(({ account_id, session_id, role }) => ({
    account_id,
    session_id,
    role,
  }));
  const { rows } = await sql<{ id: string }>`
    SELECT sessions.id FROM ${rowsOfAccounts(named, "session_id text, role text")} AS each
    JOIN accounts ON accounts.account_id = each.account_id
    JOIN sessions ON sessions.id = each.session_id
    JOIN users ON users.id = sessions.user_id
    JOIN memberships ON memberships.user_id = users.id
      AND memberships.organization_id = accounts.organization_id AND memberships.role = each.role
    WHERE sessions.expires_at > ${now} AND users.disabled_at IS NULL AND accounts.suspended_at IS NULL`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
