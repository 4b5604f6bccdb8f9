import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import * as store from "../../shipping/orders/store.ts";

/** A locked order, with the locked shipments that are linked to it. */
interface WholeOrder {
  order: store.OrderRow;
  shipments: store.ShipmentOfOrder[];
}

/**
 * Runs the work on an order while it and its shipments are locked. Shipments are locked before orders, as
 * everywhere; when one was linked while this waited for the order, the transaction starts again. Throws 404.
 */
export async function onWholeOrder<T>(
  { db, account }: Context,
  id: string,
  work: (tx: Tx, whole: WholeOrder) => Promise<T>,
): Promise<T> {
  const { account_id } = account;
  for (;;) {
    const done = await inTransaction(db, async (tx) => {
      const locked = await store.lockShipmentsOf(tx, { account_id, id });
      const [order] = await store.lockOrders(tx, account_id, [id]);
      if (!order) throw notFound();
      const shipments = await store.shipmentsOf(tx, account_id, [id]);
      const isLocked = (each: { id: string }) => locked.some((one) => one.id === each.id);
      if (!shipments.every(isLocked)) return null;
      return { result: await work(tx, { order, shipments }) };
    });
    if (done) return done.result;
  }
}
