import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { noContent, recordAnswer, type Answer } from "../../http/idempotency.ts";
import { noteTokenChange } from "./mint-token.ts";
import * as store from "./store.ts";

/** Revokes a token: it opens nothing here from now on, and within a second in any process. Twice changes nothing. */
export async function revokeToken(ctx: Context, id: string): Promise<Answer> {
  const now = ctx.clock.now();
  const { account_id, environment } = ctx.account;
  const answered = await inTransaction(ctx.db, async (tx) => {
    const token = await store.lockToken(tx, account_id, id);
    if (!token.revoked_at || token.revoked_at > now) {
      await store.setRevokedAt(tx, token, now);
      const row = { ...token, revoked_at: now };
      await noteTokenChange(tx, { row, environment, type: "token.revoked", actor: ctx.token.id });
    }
    return recordAnswer(tx, ctx.claim, noContent());
  });
  ctx.callers.forget();
  return answered;
}
