import type { Environment, Tx } from "../../database/tables.ts";
import { newId } from "../../domain/ids.ts";
import { recordDeed } from "../../events/audit-log.ts";
import { recordEvent } from "../../events/outbox.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import * as store from "./store.ts";
import { toToken } from "./view.ts";

export interface Minting {
  account_id: string;
  environment: Environment;
  name: string;
  scopes: readonly string[];
  /** The id of the token that asks, or `operator`. */
  created_by: string;
  expires_at: Date | null;
  now: Date;
}

/**
 * Makes a token and writes down who made it (decision 3). The plain text is only in what this returns:
 * the row keeps its hash and last four characters. What may be minted is the caller's to judge.
 */
export async function mintToken(
  tx: Tx,
  { environment, now, ...minting }: Minting,
): Promise<{ token: string; row: store.TokenRow }> {
  const token = newToken(environment);
  const row: store.TokenRow = {
    ...minting,
    id: newId("tok", now),
    scopes: [...new Set(minting.scopes)],
    last_four: token.slice(-4),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  await store.insertToken(tx, { ...row, token_hash: hashToken(token) });
  await noteTokenChange(tx, { row, environment, type: "token.created", actor: row.created_by });
  return { token, row };
}

/** The audit log's line, and the event for whoever listens, in the commit of the fact. */
export async function noteTokenChange(
  tx: Tx,
  change: {
    row: store.TokenRow;
    environment: Environment;
    type: "token.created" | "token.revoked";
    actor: string;
  },
): Promise<void> {
  const { row, environment, type, actor } = change;
  const { account_id, id: subject_id } = row;
  const data = toToken(row, environment);
  await recordDeed(tx, {
    account_id,
    actor,
    action: type,
    subject_id,
    details: data,
  });
  await recordEvent(tx, { account_id, type, subject_id, data });
}
