import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { deleteExpired, expireSecrets, mintSecret } from "../../events/webhooks/secrets.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { RotatedSecret } from "./schemas.ts";
import * as store from "./store.ts";

const hourMs = 3_600_000;
/** Each signs every delivery: the header has to stay small. */
const secretsMax = 5;

/**
 * Gives a webhook a new secret and shows it, this once; the old ones sign beside it for so many hours. Throws
 * 409 `conflict` when several rotations overlap already.
 */
export async function rotateSecret(
  ctx: Context,
  id: string,
  overlapHours: number,
): Promise<StoredResponse> {
  const now = ctx.clock.now();
  const key = { account_id: ctx.account.account_id, webhook_id: id };
  const at = new Date(now.getTime() + overlapHours * hourMs);
  return inTransaction(ctx.db, async (tx) => {
    const webhook = await store.lockWebhook(tx, key.account_id, id);
    await expireSecrets(tx, { ...key, at });
    if ((await deleteExpired(tx, { ...key, now })) >= secretsMax) throw tooMany();
    const secret = await mintSecret(tx, ctx.sealer, { ...key, now });
    await store.changeWebhook(tx, webhook, { updated_at: now });
    const data = { id, secret, old_secrets_expire_at: at.toISOString() };
    return recordResponse(tx, ctx, { answer: answer(200, RotatedSecret, data), subject_id: id });
  });
}

function tooMany(): ApiError {
  return new ApiError("conflict", {
    message: `The webhook has ${secretsMax} secrets in force, which is the most; wait until one expires, or rotate with overlap_hours 0.`,
    details: { secrets_max: secretsMax },
  });
}
