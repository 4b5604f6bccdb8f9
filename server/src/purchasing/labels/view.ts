import type { Platform } from "../../context.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Rate } from "../../domain/pricing/rate.ts";
import type { Posted } from "../../ledger/ledger.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { toShipment } from "../../shipping/shipments/view.ts";

/** The response of a purchase (spec 2.7, decision 8). */
export function toPurchase(
  platform: Pick<Platform, "carriers" | "files" | "clock">,
  { row, posted, rate }: { row: ShipmentRow; posted: Posted; rate: Rate },
) {
  const shown = toShipment(platform, row);
  const { label_url, label_status, label_format, tracking_code, tracking_url } = shown;
  const { documents, cost, ship_code } = shown;
  const { confirmation_number, bol_number, pro_number } = row;
  return {
    shipment_id: row.id,
    ship_code,
    label_url,
    label_status,
    label_format,
    tracking_code,
    tracking_url,
    confirmation_number,
    bol_number,
    pro_number,
    documents,
    rate,
    exchange: rate.exchange ?? null,
    cost,
    transaction_id: posted.transaction_id,
    balance_after: fromCents(posted.balance_after_cents),
  };
}
