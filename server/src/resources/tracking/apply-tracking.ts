import type { CarrierTracking } from "../../carriers/tracking.ts";
import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { bySystem, type Origin } from "../../domain/accounts/principal.ts";
import { isVoided } from "../../domain/shipments/shipment-states.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";
import {
  decisiveScan,
  isScanned,
  shipmentStatusWhile,
  statusFrom,
  statusOfAll,
  stepsTo,
} from "../../domain/shipments/tracking.ts";
import { recordEvent } from "../../events/outbox.ts";
import { lockPickupOf } from "../../shipping/pickups/membership.ts";
import { moveShipment } from "../../shipping/shipments/move-shipment.ts";
import { rejectRefund } from "../../shipping/shipments/refunds.ts";
import { changeShipment, lockShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { addEvents, changeTracker, listStatuses } from "../../shipping/tracking/follow-store.ts";
import { listEvents, type EventRow, type TrackerRow } from "../../shipping/tracking/store.ts";

/** The state of one package apart from its scans, derived from them and from the carrier's status. */
type TrackedState = Pick<
  TrackerRow,
  "status" | "status_detail" | "estimated_delivery_date" | "delivered_at" | "signed_by"
>;

/**
 * Applies a carrier's response about a package: the scans, the package's status, and with it its shipment's,
 * in one commit with the event `tracking.updated`. The same response again, or in another order, changes
 * nothing. Returns the package's state, or null where nothing had changed.
 */
export async function applyTracking(
  platform: Platform,
  tracker: TrackerRow,
  told: CarrierTracking,
): Promise<TrackedState | null> {
  const by = bySystem(`tracking.${tracker.carrier}`);
  return inTransaction(platform.db, async (tx) => {
    const { account_id, shipment_id } = tracker;
    // Its pickup may have to change: a transaction that locks both locks the pickup first.
    await lockPickupOf(tx, { account_id, id: shipment_id });
    const shipment = await lockShipment(tx, account_id, shipment_id);
    const added = await addEvents(tx, toEvents(tracker, told));
    const events = await listEvents(tx, account_id, tracker.id);
    const state = stateFrom(tracker, { events, told, shipment_status: shipment.status });
    const isNews = added > 0 || !isSame(tracker, state);
    if (isNews) await changeTracker(tx, tracker, state);
    const known = await numbered(tx, shipment, told);
    const moved = await moveAlong(platform, tx, { shipment: known, by });
    if (!isNews && moved === shipment) return null;
    await recordEvent(tx, {
      account_id,
      type: "tracking.updated",
      subject_id: shipment_id,
      data: {
        tracker_id: tracker.id,
        shipment_id,
        order_id: moved.order_id,
        carrier: tracker.carrier,
        service: moved.service,
        tracking_code: tracker.tracking_code,
        status: state.status,
        previous_status: tracker.status,
        estimated_delivery_date: state.estimated_delivery_date,
        delivered_at: state.delivered_at?.toISOString() ?? null,
        shipment_status: moved.status,
      },
      by,
    });
    return state;
  });
}

/** Some carriers assign freight its PRO number only when they collect it. */
async function numbered(
  tx: Tx,
  shipment: ShipmentRow,
  { pro_number }: CarrierTracking,
): Promise<ShipmentRow> {
  if (!pro_number || shipment.type !== "ltl" || shipment.pro_number !== null) return shipment;
  return changeShipment(tx, shipment, { pro_number: kept(pro_number, 60) });
}

/** In the stored form: bounded, because they come from outside. */
export function toEvents({ account_id, id }: TrackerRow, { events }: CarrierTracking): EventRow[] {
  return events.map(({ occurred_at, status, description, location, carrier_code }) => ({
    account_id,
    tracker_id: id,
    occurred_at,
    status,
    carrier_code: kept(carrier_code, 60),
    description: kept(description ?? "", 300),
    city: kept(location?.city ?? "", 100),
    province_code: location?.province_code ? kept(location.province_code, 10) : null,
    country_code: location?.country_code ?? null,
  }));
}

/** PostgreSQL stores every character but NUL. */
function kept(text: string, max: number): string {
  return [...text.replaceAll("\0", "")].slice(0, max).join("").toWellFormed();
}

export function stateFrom(
  tracker: TrackerRow,
  {
    events,
    told: { estimated_delivery_date, signed_by },
    shipment_status,
  }: {
    events: readonly EventRow[];
    told: CarrierTracking;
    shipment_status: ShipmentStatus;
  },
): TrackedState {
  const scan = decisiveScan(events);
  const status = statusFrom(scan, isVoided(shipment_status));
  return {
    status,
    status_detail: scan?.description || null,
    estimated_delivery_date: estimated_delivery_date ?? tracker.estimated_delivery_date,
    delivered_at: status === "delivered" && scan ? scan.occurred_at : null,
    signed_by: signed_by === null ? tracker.signed_by : kept(signed_by, 100),
  };
}

export function isSame(tracker: TrackerRow, state: TrackedState): boolean {
  return (
    tracker.status === state.status &&
    tracker.status_detail === state.status_detail &&
    tracker.estimated_delivery_date === state.estimated_delivery_date &&
    tracker.delivered_at?.getTime() === state.delivered_at?.getTime() &&
    tracker.signed_by === state.signed_by
  );
}

/** Brings a shipment to where its packages are, as far as its table of states lets it go there. */
async function moveAlong(
  platform: Platform,
  tx: Tx,
  { shipment, by }: { shipment: ShipmentRow; by: Origin },
): Promise<ShipmentRow> {
  const parts = await listStatuses(tx, shipment);
  const tracking_status = statusOfAll(parts.map(({ status }) => status));
  let row = shipment;
  // Scanned after its void: the label was used, and what it cost stays paid (decision 8).
  if (row.status === "voided" && row.refund_status === "pending" && isScanned(tracking_status))
    row = await rejectRefund(platform, tx, { row, by });
  if (isVoided(row.status)) return row;
  const updated_at = platform.clock.now();
  const target = shipmentStatusWhile[tracking_status];
  for (const status of target ? stepsTo(row.type, row.status, target) : []) {
    const moved = await moveShipment(tx, row, { status, updated_at, by });
    if (!moved) throw new Error(`shipment ${row.id} does not go from ${row.status} to ${status}`);
    row = moved;
  }
  // A parcel that was misdelivered is delivered again.
  const delivered_at = row.status === "delivered" ? latest(parts) : null;
  const isSaid = row.delivered_at?.getTime() === delivered_at?.getTime();
  if (row.tracking_status === tracking_status && isSaid) return row;
  return changeShipment(tx, row, { tracking_status, delivered_at, updated_at });
}

function latest(parts: readonly { delivered_at: Date | null }[]): Date | null {
  const times = parts.flatMap(({ delivered_at }) => delivered_at?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
}
