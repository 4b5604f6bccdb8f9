import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { tellOfToken, tokenChange } from "./mint-token.ts";
import * as store from "./store.ts";

/**
 * Revokes a token: it is refused by this process from now on, and within a second by any process. Idempotent.
 */
export async function revokeToken(ctx: Context, id: string): Promise<StoredResponse> {
  const now = ctx.clock.now();
  const { account_id, environment } = ctx.account;
  const answered = await inTransaction(ctx.db, async (tx) => {
    const token = await store.lockToken(tx, account_id, id);
    const isRevoked = token.revoked_at && token.revoked_at <= now;
    if (isRevoked) return recordResponse(tx, ctx, { answer: noContent(), subject_id: null });
    await store.setRevokedAt(tx, token, now);
    const [row, type] = [{ ...token, revoked_at: now }, "token.revoked" as const];
    await tellOfToken(tx, { row, environment, type, by: originOf(ctx) });
    const change = tokenChange(row, { environment, type });
    return recordResponse(tx, ctx, { answer: noContent(), ...change });
  });
  ctx.callers.forget();
  return answered;
}
