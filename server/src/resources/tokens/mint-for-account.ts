import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { knownScopes, type Scope } from "../../domain/accounts/scopes.ts";
import { mintToken } from "./mint-token.ts";
import * as store from "./store.ts";

/** Makes a token from the shell, where whoever is there may do anything; returns its plain text. */
export async function mintForAccount(
  db: Database,
  wanted: { account_id: string; name: string; scopes?: string[] },
): Promise<string> {
  const scopes = wanted.scopes ?? [...knownScopes];
  const unknown = scopes.filter((scope) => !knownScopes.includes(scope as Scope));
  if (unknown.length > 0) throw new Error(`no scope is called ${unknown.join(", ")}`);
  return inTransaction(db, async (tx) => {
    const environment = await store.findEnvironment(tx, wanted.account_id);
    if (!environment) throw new Error(`there is no account ${wanted.account_id}`);
    const { account_id, name } = wanted;
    const minting = {
      account_id,
      environment,
      name,
      scopes,
      created_by: "shell",
      expires_at: null,
      now: new Date(),
    };
    return (await mintToken(tx, minting)).token;
  });
}
