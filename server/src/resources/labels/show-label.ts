import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Rate } from "../../domain/rate.ts";
import { isLabelled } from "../../domain/shipment-states.ts";
import { labelTransaction } from "../../ledger/ledger.ts";
import { getShipment, purchasePending } from "../shipments/service.ts";
import { mendDocuments } from "./mend-documents.ts";
import { toPurchase } from "./view.ts";

/**
 * A bought label again, its links signed afresh, and its files replaced where they are missing or damaged.
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
