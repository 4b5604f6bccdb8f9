import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { Delivery } from "./schemas.ts";
import * as store from "./store.ts";
import { toDelivery } from "./view.ts";

/**
 * Sends a delivery now, whatever its schedule says; one that has ended begins its schedule anew. Throws 409
 * `conflict` while it is being sent, and when its webhook or its event is gone.
 */
export async function redeliver(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    const found = await store.getDelivery(tx, account_id, id);
    // The webhook first, as everywhere: its lock keeps workers from claiming it meanwhile.
    const webhook = await store.lockWebhook(tx, found, ctx.config.lease_seconds);
    if (!webhook) throw new ApiError("conflict", { message: "The webhook was deleted." });
    refuseDisabled(webhook);
    const delivery = await store.getDelivery(tx, account_id, id, "update");
    await refuseUnlessSendable(tx, delivery, webhook);
    if (delivery.status === "pending") await store.bringForward(tx, delivery);
    else await store.reopen(tx, account_id, [id]);
    await store.wakeWebhook(tx, delivery);
    const due = await store.getDelivery(tx, account_id, id);
    return recordResponse(tx, ctx, {
      answer: answer(202, Delivery, toDelivery(due)),
      subject_id: id,
    });
  });
}

/** Throws 409 `conflict`: a webhook that is disabled gets nothing. */
export function refuseDisabled({
  status,
  disabled_reason,
}: Pick<store.LockedWebhook, "status" | "disabled_reason">): void {
  if (status === "enabled") return;
  throw new ApiError("conflict", {
    message: "The webhook is disabled; enable it first.",
    details: { status, disabled_reason },
  });
}

/** The process that holds the webhook sends what is due: which of it is under way, only that process knows. */
async function refuseUnlessSendable(
  tx: Tx,
  delivery: store.DeliveryRow,
  { is_held }: store.LockedWebhook,
): Promise<void> {
  if (is_held && (await store.isDue(tx, delivery)))
    throw new ApiError("conflict", {
      message: "The delivery is being sent.",
      details: { status: delivery.status },
    });
  if (!(await store.hasEvent(tx, delivery)))
    throw new ApiError("conflict", { message: "The event is no longer kept." });
}
