import type { Context } from "../../context.ts";
import type { Environment, Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { recordEvent } from "../../events/outbox.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import * as store from "./store.ts";
import { toToken } from "./view.ts";

export interface Minting {
  account_id: string;
  environment: Environment;
  name: string;
  scopes: readonly string[];
  /** The id of the token or user that asks, `operator` or `shell`. */
  created_by: string;
  by: Origin;
  expires_at: Date | null;
  now: Date;
}

/**
 * Makes a token and writes its event (decision 3). Only the return value has the plain text: the row keeps
 * its hash and last four characters. The caller has to check what may be minted.
 */
export async function mintToken(
  tx: Tx,
  { environment, now, by, ...minting }: Minting,
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
  await tellOfToken(tx, { row, environment, type: "token.created", by });
  return { token, row };
}

/** The audit log entry of a token that was made or revoked, by its `actor`. */
export function tokenChange(
  row: store.TokenRow,
  { environment, type }: { environment: Environment; type: "token.created" | "token.revoked" },
) {
  const { account_id, id: subject_id } = row;
  return { account_id, action: type, subject_id, details: toToken(row, environment) };
}

/**
 * Throws 409 `conflict` when the account has as many tokens in force as it may (decision 21): each has
 * rate limits of its own. A token that is being replaced is not counted, so that a full account can rotate
 * its tokens. Call it before the new one is written, in the same transaction.
 */
export async function refuseTooManyTokens(
  tx: Tx,
  { account, config, clock }: Pick<Context, "account" | "config" | "clock">,
  { replaced = null }: { replaced?: string | null } = {},
): Promise<void> {
  const { tokens_max } = config;
  const terms = { now: clock.now(), most: tokens_max, replaced };
  if ((await store.lockTokensInForce(tx, account.account_id, terms)) < tokens_max) return;
  throw new ApiError("conflict", {
    message: `The account has ${tokens_max} tokens in force, which is the most; revoke one first.`,
    details: { tokens_max },
  });
}

/** The event of a change of a token. */
export async function tellOfToken(
  tx: Tx,
  change: {
    row: store.TokenRow;
    environment: Environment;
    type: "token.created" | "token.revoked";
    by: Origin;
  },
): Promise<void> {
  const { row, environment, type, by } = change;
  const { account_id, id: subject_id } = row;
  const { scopes, expires_at } = toToken(row, environment);
  const data = { token_id: subject_id, environment, scopes, expires_at };
  await recordEvent(tx, { account_id, type, subject_id, data, by });
}
