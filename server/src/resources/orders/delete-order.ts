import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { isVoided } from "../../domain/shipments/shipment-states.ts";
import { noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import * as store from "../../shipping/orders/store.ts";
import { onWholeOrder } from "./whole-order.ts";

/**
 * Removes an order (204), but only while none of its shipments is active, drafts included (spec 3): 409
 * `order_in_use`. Voided and cancelled ones stay, without an order from then on.
 */
export async function deleteOrder(ctx: Context, id: string): Promise<StoredResponse> {
  return onWholeOrder(ctx, id, async (tx, { order, shipments }) => {
    const alive = shipments.filter(({ status }) => !isVoided(status));
    if (alive.length > 0) {
      const shown = alive.map(({ id: shipment_id, status }) => ({ id: shipment_id, status }));
      throw new ApiError("order_in_use", { details: { status: order.status, shipments: shown } });
    }
    await store.unlinkShipments(tx, order);
    await store.deleteOrder(tx, order);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}
