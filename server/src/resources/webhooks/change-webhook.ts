import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { throwIfAny } from "../../domain/errors/errors.ts";
import type { WebhookStatus } from "../../domain/events/webhook-states.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { lockFeed } from "../../events/feed/place-store.ts";
import { cancelPending } from "../../events/webhooks/disable.ts";
import { deleteSecrets } from "../../events/webhooks/secrets.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { addUrlProblem, descriptionOf } from "./create-webhook.ts";
import { StrictWebhookChanges, Webhook, type WebhookChanges } from "./schemas.ts";
import * as store from "./store.ts";
import { toWebhook } from "./view.ts";

/** Changes the fields that the body names. Throws 422. What is pending goes to the new URL. */
export async function updateWebhook(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const problems = problemsOf(StrictWebhookChanges, body);
  await addUrlProblem(ctx, problems, body);
  throwIfAny(problems);
  const changes = body as WebhookChanges;
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (tx) => {
    await lockFeed(tx, account_id);
    const webhook = await store.lockWebhook(tx, account_id, id);
    await store.changeWebhook(tx, webhook, valuesOf(changes, now));
    if (changes.status !== undefined) await setStatus(tx, webhook, { status: changes.status, now });
    const changed = await store.getWebhook(tx, account_id, id);
    return recordResponse(tx, ctx, {
      answer: answer(200, Webhook, toWebhook(changed)),
      subject_id: id,
    });
  });
}

function valuesOf({ url, types, description, max_in_flight }: WebhookChanges, updated_at: Date) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types }),
    ...(description === undefined ? {} : { description: descriptionOf(description) }),
    ...(max_in_flight === undefined ? {} : { max_in_flight }),
    updated_at,
  };
}

async function setStatus(
  tx: Tx,
  webhook: store.WebhookRow,
  { status, now }: { status: WebhookStatus; now: Date },
): Promise<void> {
  if (webhook.status === status) return;
  if (status === "disabled") {
    await store.disableWebhook(tx, webhook);
    await cancelPending(tx, { account_id: webhook.account_id, webhook_id: webhook.id, now });
  } else
    await store.changeWebhook(tx, webhook, {
      status,
      disabled_reason: null,
      failing_since: null,
      failure_count: 0,
      is_failing_told: false,
    });
}

/** Deletes a webhook and its secrets; what is pending is cancelled, and its deliveries stay readable (204). */
export async function deleteWebhook(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    await lockFeed(tx, account_id);
    const webhook = await store.lockWebhook(tx, account_id, id);
    const key = { account_id, webhook_id: id };
    await cancelPending(tx, { ...key, now: ctx.clock.now() });
    await deleteSecrets(tx, key);
    await store.deleteWebhook(tx, webhook);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}
