import { inTransaction } from "../../database/connect.ts";
import { byShell } from "../../domain/accounts/principal.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import type { Database } from "../../database/tables.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import * as store from "./store.ts";

/** Makes a token for the operator's API from the shell; returns its plain text, which is not stored. */
export async function mintOperatorToken(db: Database, name: string): Promise<string> {
  const token = newToken("op");
  await inTransaction(db, async (tx) => {
    await store.insertOperatorToken(tx, { token_hash: hashToken(token), name });
    const line = { action: "operator_token.created", subject_id: name, by: byShell };
    await recordAudit(tx, { account_id: operatorsAccountId, ...line, details: {} });
  });
  return token;
}
