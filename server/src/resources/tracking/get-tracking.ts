import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../domain/errors/errors.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import type { Tracking } from "./schemas.ts";
import * as store from "../../shipping/tracking/store.ts";
import { toTracking } from "./view.ts";

/** Whether a carrier could have issued such a code: no other text needs to be looked up. */
export function isTrackingCode(text: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(text);
}

/**
 * The status of the package with this code. Throws 404, the same for an unknown code and another account's.
 */
export async function getTracking(ctx: Context, tracking_code: string): Promise<Tracking> {
  const { account_id } = ctx.account;
  const row = isTrackingCode(tracking_code)
    ? await store.findTracker(ctx.db, account_id, { tracking_code })
    : null;
  if (!row) throw notFound();
  return show(ctx, row);
}

/**
 * The status of a shipment: that of the package whose code is the shipment's. Throws 404 for an unknown
 * shipment, and 409 `not_labelled` for one that has no code.
 */
export async function getTrackingOfShipment(ctx: Context, id: string): Promise<Tracking> {
  const { account_id } = ctx.account;
  const { status, tracking_code } = await getShipment(ctx.db, account_id, id);
  const row =
    tracking_code === null
      ? null
      : await store.findTracker(ctx.db, account_id, { tracking_code, shipment_id: id });
  if (!row) throw new ApiError("not_labelled", { details: { status } });
  return show(ctx, row);
}

async function show(ctx: Context, row: store.TrackerRow): Promise<Tracking> {
  return toTracking(ctx, row, await store.listEvents(ctx.db, row.account_id, row.id));
}
