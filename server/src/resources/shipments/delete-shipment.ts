import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { decidedAnew, ShipmentChanged } from "../../shipping/shipments/decided-anew.ts";
import * as store from "../../shipping/shipments/store.ts";
import { voidShipment } from "./void-shipment.ts";

/**
 * Removes a shipment without a label (204). One with a label is voided, as `POST …/void` does, and
 * stays as a record; a booked LTL shipment is 409 `use_ltl_cancel` (decision 6).
 */
export function deleteShipment(ctx: Context, id: string): Promise<StoredResponse> {
  return decidedAnew(() => deleteAsItIs(ctx, id));
}

async function deleteAsItIs(ctx: Context, id: string): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const row = await store.getShipment(ctx.db, account_id, id);
  if (row.type === "ltl" && isLabelled(row.status))
    throw new ApiError("use_ltl_cancel", { details: { status: row.status } });
  if (!isBare(row)) return voidShipment(ctx, id, null);
  return inTransaction(ctx.db, async (tx) => {
    if (!isBare(await store.lockShipment(tx, account_id, id))) throw new ShipmentChanged(id);
    await store.deleteDraft(tx, account_id, id);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}

/** A booking that was cancelled is a record, as a voided label is. */
function isBare({ status, purchased_at }: store.ShipmentRow): boolean {
  return status === "draft" || (status === "cancelled" && !purchased_at);
}
