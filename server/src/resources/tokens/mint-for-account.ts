import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { byShell } from "../../domain/accounts/principal.ts";
import { recordAudit } from "../../events/audit-log.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";
import { mintToken, tokenChange } from "./mint-token.ts";
import * as store from "./store.ts";

/**
 * Makes a token for an operator's shell command, without the limits of a caller's scopes; returns its plain
 * text.
 */
export async function mintForAccount(
  db: Database,
  wanted: { account_id: string; name: string; scopes?: string[] | undefined },
): Promise<string> {
  const scopes = wanted.scopes ?? [...knownScopes];
  return inTransaction(db, async (tx) => {
    const environment = await store.findEnvironment(tx, wanted.account_id);
    if (!environment) throw new Error(`there is no account ${wanted.account_id}`);
    const { account_id, name } = wanted;
    const { token, row } = await mintToken(tx, {
      account_id,
      environment,
      name,
      scopes,
      created_by: "shell",
      by: byShell,
      expires_at: null,
      now: new Date(),
    });
    await recordAudit(tx, {
      ...tokenChange(row, { environment, type: "token.created" }),
      by: byShell,
    });
    return token;
  });
}
