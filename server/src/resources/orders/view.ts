import { inOrderOf } from "../../domain/key-order.ts";
import { fromCents } from "../../domain/money.ts";
import { Order } from "./schemas.ts";
import type { OrderRow, ShipmentOfOrder } from "./store.ts";

/** A row as the API shows it (decision 14), with the shipments that are linked to it. */
export function toOrder(row: OrderRow, linked: readonly ShipmentOfOrder[]): Order {
  const {
    account_id: _account,
    subtotal_cents,
    shipping_cents,
    discount_cents,
    tax_cents,
    total_cents,
    currency,
    shipment_actions: _actions,
    ...shown
  } = row;
  return inOrderOf<Order>(Order, {
    ...shown,
    totals: {
      subtotal: amount(subtotal_cents),
      shipping: amount(shipping_cents),
      discount: amount(discount_cents),
      tax: amount(tax_cents),
      total: amount(total_cents),
      currency,
    },
    shipments: linked
      .filter(({ order_id }) => order_id === row.id)
      .map(({ id, status }) => ({ id, status })),
    placed_at: row.placed_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  });
}

function amount(cents: number | null): number | null {
  return cents === null ? null : fromCents(cents);
}
