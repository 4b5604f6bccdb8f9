import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import * as store from "./store.ts";

/** Makes a token for the operator's API from the shell; returns its plain text, which nobody keeps. */
export async function mintOperatorToken(db: Database, name: string): Promise<string> {
  const token = newToken("op");
  await inTransaction(db, (tx) =>
    store.insertOperatorToken(tx, { token_hash: hashToken(token), name }),
  );
  return token;
}
