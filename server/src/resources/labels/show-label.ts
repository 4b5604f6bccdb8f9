import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Rate } from "../../domain/pricing/rate.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { labelTransaction } from "../../ledger/ledger.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { labelStatusOf } from "../../shipping/shipments/view.ts";
import { secondsToFetch } from "../../purchasing/labels/pending-files-store.ts";
import { restoreDocuments } from "../../purchasing/labels/restore-documents.ts";
import { toPurchase } from "../../purchasing/labels/view.ts";

/**
 * A purchased label again, its links signed afresh, and its files replaced where they are missing or damaged.
 * 409 `not_labelled` where there is none, and `label_not_ready` while its carrier has no file of it.
 */
export async function showLabel(ctx: Context, shipmentId: string) {
  const row = await getShipment(ctx.db, ctx.account.account_id, shipmentId);
  if (row.status === "purchasing" || row.status === "purchase_pending") throw purchasePending(row);
  const posted = isLabelled(row.status)
    ? await labelTransaction(ctx.db, row.account_id, row.id)
    : null;
  if (!posted) throw new ApiError("not_labelled", { details: { status: row.status } });
  if (labelStatusOf(row) === "pending") throw await notReady(ctx, row);
  const whole = await restoreDocuments(ctx, row);
  return toPurchase(ctx, { row: whole, posted, rate: row.selected_rate as Rate });
}

/** Until the next fetch, and at least a second. */
async function notReady({ db }: Context, { account_id, id }: ShipmentRow): Promise<ApiError> {
  const seconds = await secondsToFetch(db, account_id, id);
  return new ApiError("label_not_ready", {
    details: { shipment_id: id, label_status: "pending" },
    retry_after: Math.max(1, Math.ceil(seconds ?? 1)),
  });
}
