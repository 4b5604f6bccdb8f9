import type { FoundToken } from "../context.ts";
import { accountOf } from "../database/account-of.ts";
import type { Database } from "../database/tables.ts";

/** The SQL of authentication. Tokens are found by their hash alone, before the account is known. */

export async function findToken(db: Database, hash: Buffer): Promise<FoundToken | null> {
  const row = await db
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.account_id", "tokens.account_id")
    .select([
      "tokens.id",
      "tokens.scopes",
      "tokens.expires_at",
      "tokens.revoked_at",
      "accounts.account_id",
      "accounts.organization_id",
      "accounts.environment",
      "accounts.currency",
      "accounts.default_from_address",
      "accounts.settings",
      "accounts.suspended_at",
    ])
    .where("tokens.token_hash", "=", hash)
    .executeTakeFirst();
  if (!row) return null;
  return {
    account: accountOf(row),
    token: { id: row.id, scopes: row.scopes },
    principal: { kind: "token", id: row.id },
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    suspended_at: row.suspended_at,
  };
}

/** By the hash of the token; null for none. */
export async function findOperatorToken(
  db: Database,
  hash: Buffer,
): Promise<{ name: string } | null> {
  const row = await db
    .selectFrom("operator_tokens")
    .select("name")
    .where("token_hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function noteTokenUse(
  db: Database,
  token: { account_id: string; id: string },
  at: Date,
): Promise<void> {
  await db
    .updateTable("tokens")
    .set({ last_used_at: at })
    .where("account_id", "=", token.account_id)
    .where("id", "=", token.id)
    .execute();
}
