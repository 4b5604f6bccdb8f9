import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Rate } from "../../domain/pricing/rate.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { labelTransaction } from "../../ledger/ledger.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { mendDocuments } from "../../purchasing/labels/mend-documents.ts";
import { toPurchase } from "../../purchasing/labels/view.ts";

/**
 * A purchased label again, its links signed afresh, and its files replaced where they are missing or damaged.
 * 409 `not_labelled` where there is none.
 */
export async function showLabel(ctx: Context, shipmentId: string) {
  const row = await getShipment(ctx.db, ctx.account.account_id, shipmentId);
  if (row.status === "purchasing" || row.status === "purchase_pending") throw purchasePending(row);
  const posted = isLabelled(row.status)
    ? await labelTransaction(ctx.db, row.account_id, row.id)
    : null;
  if (!posted) throw new ApiError("not_labelled", { details: { status: row.status } });
  const whole = await mendDocuments(ctx, row);
  return toPurchase(ctx, { row: whole, posted, rate: row.selected_rate as Rate });
}
