import { ApiError } from "../../domain/errors/errors.ts";
import type { ShipmentRow } from "./store.ts";

/** Why a shipment cannot be bought or changed now: the 409s caused by its label or its purchase. */

/** 409 with the ids of the existing label, so that a client can recover a lost response from it. */
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

/** 409: the carrier's outcome is being looked up; the client can only retry in a moment. */
export function purchasePending(row: { id: string; status: string }): ApiError {
  return new ApiError("purchase_pending", {
    details: { shipment_id: row.id, status: row.status },
    retry_after: 2,
  });
}
