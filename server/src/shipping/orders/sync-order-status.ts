import { isDeepStrictEqual } from "node:util";
import { json, type Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { fulfilmentOf } from "../../domain/orders/fulfilment.ts";
import { afterShipments } from "../../domain/orders/order-states.ts";
import type { OrderStatus } from "../../domain/orders/order-status.ts";
import { recordEvent } from "../../events/outbox.ts";
import * as store from "./store.ts";

/**
 * Makes orders what their shipments say of them (decision 14); `changed_by` says who changed those of each. To be called in the transaction that
 * changes a shipment or its link, after the change: the shipment is locked, and then its order, never the
 * other way round. An order that was deleted is skipped.
 */
export async function syncOrderStatus(
  tx: Tx,
  accountId: string,
  { changed_by, at }: { changed_by: ReadonlyMap<string, Origin>; at: Date },
): Promise<void> {
  // What others have committed of its other shipments shows in what is read after the lock.
  for (const order of await store.lockOrders(tx, accountId, [...changed_by.keys()])) {
    const { fulfilment, items } = fulfilmentOf(order.items, await store.contentsOf(tx, order));
    const status = afterShipments(order.status, fulfilment);
    if (status === order.status && isDeepStrictEqual(items, order.items)) continue;
    const by = changed_by.get(order.id)!;
    await changeStatus(tx, order, { status, items: json(items), updated_at: at, by });
  }
}

/** Writes changes of a locked order, and an event each time that it becomes fulfilled. */
export async function changeStatus(
  tx: Tx,
  before: store.OrderRow,
  { by, ...change }: store.OrderChange & { status: OrderStatus; by: Origin },
): Promise<store.OrderRow> {
  const order = await store.changeOrder(tx, before, change);
  if (order.status !== "fulfilled" || before.status === "fulfilled") return order;
  await recordEvent(tx, {
    account_id: order.account_id,
    type: "order.fulfilled",
    subject_id: order.id,
    data: { ...orderFacts(order), previous_status: before.status },
    by,
  });
  return order;
}

/** What every event of an order says of it. */
export function orderFacts({ id, order_number, source, status }: store.OrderRow) {
  return { order_id: id, order_number, source, status };
}
