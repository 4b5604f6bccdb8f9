import { inOrderOf } from "../../domain/text/key-order.ts";
import { fromCents } from "../../domain/values/money.ts";
import { Order } from "./schemas.ts";
import type { OrderRow, ShipmentOfOrder } from "../../shipping/orders/store.ts";

/** A row as the API shows it (decision 14), with the shipments that are linked to it. */
export function toOrder(row: OrderRow, linked: readonly ShipmentOfOrder[]): Order {
  return {
    id: row.id,
    order_number: row.order_number,
    source: row.source,
    status: row.status,
    customer: row.customer,
    to_address: row.to_address,
    from_address: row.from_address,
    items: row.items,
    packages: row.packages,
    requested_service: row.requested_service,
    totals: {
      subtotal: amount(row.subtotal_cents),
      shipping: amount(row.shipping_cents),
      discount: amount(row.discount_cents),
      tax: amount(row.tax_cents),
      total: amount(row.total_cents),
      currency: row.currency,
    },
    notes: row.notes,
    tags: row.tags,
    placed_at: row.placed_at.toISOString(),
    shipments: linked
      .filter(({ order_id }) => order_id === row.id)
      .map(({ id, status }) => ({ id, status })),
    metadata: inOrderOf(Order.properties.metadata, row.metadata),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function amount(cents: number | null): number | null {
  return cents === null ? null : fromCents(cents);
}
