import type { Context } from "../../context.ts";
import { byTime } from "../../domain/shipments/tracking.ts";
import { baseOf } from "../../http/authenticate.ts";
import type { Tracking } from "./schemas.ts";
import type { EventRow, TrackerRow } from "../../shipping/tracking/store.ts";

type Viewer = Pick<Context, "base_url" | "account">;

/** A tracker as the API shows it (decision 19). */
export function toTracking(
  { base_url, account }: Viewer,
  row: TrackerRow,
  events: readonly EventRow[],
): Tracking {
  const origin = base_url.slice(0, base_url.length - baseOf[account.environment].length);
  return {
    id: row.id,
    tracking_code: row.tracking_code,
    carrier: row.carrier,
    status: row.status,
    status_detail: row.status_detail,
    estimated_delivery_date: row.estimated_delivery_date,
    delivered_at: row.delivered_at && row.delivered_at.toISOString(),
    signed_by: row.signed_by,
    shipment_id: row.shipment_id,
    public_url: `${origin}/t/${encodeURIComponent(row.tracking_code)}`,
    events: newestFirst(events).map(toEvent),
  };
}

export function newestFirst(events: readonly EventRow[]): EventRow[] {
  return [...events].sort(byTime).reverse();
}

function toEvent(row: EventRow): Tracking["events"][number] {
  const { city, province_code, country_code } = row;
  return {
    occurred_at: row.occurred_at.toISOString(),
    status: row.status,
    description: row.description || null,
    location: city === "" ? null : { city, province_code, country_code },
    carrier_code: row.carrier_code,
  };
}
