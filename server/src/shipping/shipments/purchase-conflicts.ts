import { ApiError } from "../../domain/errors/errors.ts";
import type { ShipmentRow } from "./store.ts";

/** Why a shipment cannot be bought or changed now: the 409s that its label or its purchase gives. */

/** 409 with the ids of the label that is there, so that a lost answer can be recovered from it. */
export function alreadyLabelled(row: ShipmentRow): ApiError {
  return new ApiError("already_labelled", {
    details: {
      shipment_id: row.id,
      status: row.status,
      service: row.service,
      tracking_code: row.tracking_code,
      purchased_at: row.purchased_at,
    },
  });
}

/** 409: the carrier's answer is being looked up; asking again in a moment is all there is to do. */
export function purchasePending(row: { id: string; status: string }): ApiError {
  return new ApiError("purchase_pending", {
    details: { shipment_id: row.id, status: row.status },
    retry_after: 2,
  });
}
