import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import type { EventType } from "../../domain/events/catalogue.ts";
import { sampleOf } from "../../domain/events/sample.ts";
import { newId } from "../../domain/values/ids.ts";
import { toPayload, type EventPayload } from "../../events/payload.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import {
  Delivery,
  getDelivery,
  refuseDisabled,
  toDelivery,
  wakeWebhook,
} from "../deliveries/service.ts";
import * as store from "./store.ts";

/** Sends a sample, which stands in no feed. Throws 409 `conflict` when the webhook is disabled. */
export async function testWebhook(
  ctx: Context,
  webhook_id: string,
  type: EventType,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const delivery = { account_id, webhook_id, id: newId("dlv") };
  return inTransaction(ctx.db, async (tx) => {
    refuseDisabled(await store.lockWebhook(tx, account_id, webhook_id));
    await store.insertSample(tx, delivery, samplePayload(ctx, webhook_id, type));
    await wakeWebhook(tx, delivery);
    const row = await getDelivery(tx, account_id, delivery.id);
    return recordResponse(tx, ctx, {
      answer: answer(202, Delivery, toDelivery(row)),
      subject_id: webhook_id,
      details: { delivery_id: row.id, type },
    });
  });
}

/** Position 0 is that of no event, and a reader of the feed that stores it as its cursor loses nothing. */
function samplePayload(ctx: Context, webhook_id: string, type: EventType): EventPayload {
  const { subject_id, data } =
    type === "webhook.test" ? { subject_id: webhook_id, data: { webhook_id } } : sampleOf(type);
  const { actor } = originOf(ctx);
  return toPayload(
    {
      type,
      subject_id,
      data,
      actor,
      id: newId("evt"),
      created_at: ctx.clock.now(),
      sequence: 1,
      position: 0,
      request_id: ctx.request_id,
    },
    ctx.account.environment,
  );
}
