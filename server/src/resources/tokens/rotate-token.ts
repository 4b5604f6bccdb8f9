import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { recordChange } from "../../http/record-change.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { refuseBeyondCeiling, refuseUnlessStrong } from "./create-token.ts";
import { mintToken, refuseTooManyTokens, tellOfToken, tokenChange } from "./mint-token.ts";
import { MintedToken } from "./schemas.ts";
import * as store from "./store.ts";
import { toToken } from "./view.ts";

/**
 * Replaces a token by one of the same name, scopes and lifetime; the old one stays valid for the overlap.
 * Throws 409 `conflict` for a token that is no longer valid and for too many valid ones, 403 for scopes out
 * of the caller's reach or for a person who has to give the password again.
 */
export async function rotateToken(
  ctx: Context,
  id: string,
  overlapSeconds: number,
): Promise<StoredResponse> {
  const [now, by] = [ctx.clock.now(), originOf(ctx)];
  const { account_id, environment } = ctx.account;
  refuseUnlessStrong(ctx);
  const answered = await inTransaction(ctx.db, async (tx) => {
    const old = await store.lockToken(tx, account_id, id);
    refuseUnlessInForce(old, now);
    refuseBeyondCeiling(ctx, old.scopes);
    await refuseTooManyTokens(tx, ctx, { replaced: id });
    const { token, row } = await mintToken(tx, {
      account_id,
      environment,
      name: old.name,
      scopes: old.scopes,
      created_by: ctx.token.id,
      by,
      expires_at: old.expires_at && new Date(now.getTime() + lifetimeOf(old, old.expires_at)),
      now,
    });
    const revoked_at = new Date(now.getTime() + overlapSeconds * 1000);
    await store.setRevokedAt(tx, old, revoked_at);
    const revoked = { ...old, revoked_at };
    const type = "token.revoked";
    await tellOfToken(tx, { row: revoked, environment, type, by });
    // Two tokens changed, so there are two audit log entries.
    await recordChange(tx, ctx, tokenChange(revoked, { environment, type }));
    return recordResponse(tx, ctx, {
      answer: answer(201, MintedToken, { ...toToken(row, environment), token }),
      ...tokenChange(row, { environment, type: "token.created" }),
    });
  });
  ctx.callers.forget();
  return answered;
}

function refuseUnlessInForce(token: store.TokenRow, now: Date): void {
  const state = token.revoked_at
    ? "revoked"
    : token.expires_at && token.expires_at <= now
      ? "expired"
      : null;
  if (!state) return;
  throw new ApiError("conflict", {
    message: `The token is ${state}; create a new one.`,
    details: { state },
  });
}

function lifetimeOf({ created_at }: store.TokenRow, expiresAt: Date): number {
  return expiresAt.getTime() - created_at.getTime();
}
