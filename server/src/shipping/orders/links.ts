import type { Database, Tx } from "../../database/tables.ts";
import { isId } from "../../domain/values/ids.ts";
import * as store from "./store.ts";

/** Those of the texts that are no ids of orders of the account. */
export async function unknownOrders(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const possible = ids.filter((id) => isId("ord", id));
  const known = possible.length > 0 ? await store.existing(db, accountId, possible) : [];
  return new Set(ids.filter((id) => !known.includes(id)));
}

/** The data of the order that a shipment is about to be linked to. */
export interface Link {
  order_number: string;
  /** How many shipments the order has already. */
  shipment_count: number;
}

/**
 * Locks the orders that shipments are about to be linked to, so that none is deleted before the commit; those
 * that exist, by id. Shipments that exist already are locked before.
 */
export async function lockForLinks(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Link>> {
  if (ids.length === 0) return new Map();
  const orders = await store.lockOrders(tx, accountId, ids);
  const counts = await store.countShipmentsOf(tx, accountId, ids);
  return new Map(
    orders.map(({ id, order_number }) => [
      id,
      { order_number, shipment_count: counts.get(id) ?? 0 },
    ]),
  );
}
