import { fromCents, type Cents } from "../../domain/values/money.ts";
import type { PartStatus, PickupStatus } from "../../domain/pickups/pickup-states.ts";
import type { Pickup } from "./schemas.ts";
import type { PartRow, WholePickup } from "./store.ts";

/** A pickup as the API shows it (decision 10): money in decimals, nothing internal. */
export function toPickup(row: WholePickup): Pickup {
  const { parts, contact, address } = row;
  const subtotal = sum(parts, ({ fee_cents }) => fee_cents);
  const tax = sum(parts, ({ tax_cents }) => tax_cents);
  return {
    id: row.id,
    status: row.status,
    shipment_ids: row.shipment_ids,
    carriers: parts.map(toCarrier),
    date: row.date,
    ready_time: row.ready_time,
    close_time: row.close_time,
    address,
    contact,
    instructions: row.instructions,
    package_count: sum(parts, ({ package_count }) => package_count),
    total_weight: { value: sum(parts, ({ weight_grams }) => weight_grams) / 1000, unit: "kg" },
    cost: {
      subtotal: fromCents(subtotal),
      tax: fromCents(tax),
      total: fromCents(subtotal + tax),
      currency: row.currency,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    cancelled_at: row.cancelled_at && row.cancelled_at.toISOString(),
  };
}

function toCarrier(part: PartRow): Pickup["carriers"][number] {
  return {
    carrier: part.carrier,
    status: shownStatus(part.status),
    confirmation_number: part.confirmation_number,
    fee: fromCents(part.fee_cents),
    error: part.error as Pickup["carriers"][number]["error"],
    shipment_ids: part.shipment_ids,
  };
}

/** A carrier is shown as coming until it has confirmed the cancellation. */
function shownStatus(status: PartStatus): PickupStatus {
  return status === "cancelling" ? "confirmed" : status;
}

function sum(parts: readonly PartRow[], of: (part: PartRow) => Cents): number {
  return parts.reduce((total, part) => total + of(part), 0);
}
