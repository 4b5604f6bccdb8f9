import { sql, type Selectable, type UpdateObject } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { insertOf } from "../../database/insert-of.ts";
import { ownRow } from "../../database/own-row.ts";
import type { Database, OrdersTable, Tables, Tx } from "../../database/tables.ts";
import type { LinkedShipment } from "../../domain/orders/fulfilment.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";

export type OrderRow = Selectable<OrdersTable>;
export type OrderChange = UpdateObject<Tables, "orders", "orders">;
type OrderKey = Pick<OrderRow, "account_id" | "id">;

/**
 * Inserts orders by one statement with a constant text, except those whose number their source has already;
 * returns the ids of the new ones. In the order of their numbers, so that two calls with the same ones wait
 * for each other and do not deadlock.
 */
export async function insertOrders(tx: Tx, rows: readonly OrderRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  // The sort is stable: of equal ones the first is kept.
  const inOrder = rows.toSorted(byNumber);
  const inserted = await sql<{ id: string }>`
    ${insertOf("orders", inOrder)}
    ON CONFLICT (account_id, source, order_number) WHERE source IS NOT NULL DO NOTHING RETURNING id`.execute(
    tx,
  );
  return new Set(inserted.rows.map(({ id }) => id));
}

function byNumber(a: OrderRow, b: OrderRow): number {
  const [left, right] = [numberKey(a), numberKey(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The unique key of an order within an account, as one text. */
export function numberKey({ source, order_number }: Pick<OrderRow, "source" | "order_number">) {
  return `${source} ${order_number}`;
}

/** The ids of the orders that have these numbers, by `numberKey`. */
export async function findByNumber(
  db: Database | Tx,
  accountId: string,
  rows: readonly Pick<OrderRow, "source" | "order_number">[],
): Promise<Map<string, string>> {
  const found = await sql<Pick<OrderRow, "id" | "source" | "order_number">>`
    SELECT id, source, order_number FROM orders
    JOIN unnest(${rows.map(({ source }) => source)}::text[], ${rows.map(({ order_number }) => order_number)}::text[])
      AS wanted (source, order_number) USING (source, order_number)
    WHERE account_id = ${accountId}`.execute(db);
  return new Map(found.rows.map((row) => [numberKey(row), row.id]));
}

/** Throws 404, the same for a missing order and another account's. */
export async function getOrder(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<OrderRow> {
  return ownRow(db, "orders", { account_id: accountId, id });
}

/** Those of the ids that are orders of the account. */
export async function existing(
  db: Database | Tx,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM orders WHERE account_id = ${accountId} AND id = ANY(${ids})`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Locks orders, so that until the transaction ends no other one changes, links or deletes them. Always in the
 * order of their ids, and after every lock on a shipment: so there is no deadlock.
 */
export async function lockOrders(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    SELECT ${columnsOf("orders")} FROM orders WHERE account_id = ${accountId} AND id = ANY(${ids}) ORDER BY id FOR UPDATE`.execute(
    tx,
  );
  return rows;
}

export async function changeOrder(
  tx: Tx,
  { account_id, id }: OrderKey,
  change: OrderChange,
): Promise<OrderRow> {
  return tx
    .updateTable("orders")
    .set(change)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteOrder(tx: Tx, { account_id, id }: OrderKey): Promise<void> {
  await tx.deleteFrom("orders").where("account_id", "=", account_id).where("id", "=", id).execute();
}

/** A shipment as its order shows it. */
export interface ShipmentOfOrder {
  order_id: string;
  id: string;
  status: ShipmentStatus;
}

/** The shipments of any number of orders, oldest first. */
export async function shipmentsOf(
  db: Database | Tx,
  accountId: string,
  orderIds: readonly string[],
): Promise<ShipmentOfOrder[]> {
  const { rows } = await sql<ShipmentOfOrder>`
    SELECT order_id, id, status FROM shipments
    WHERE account_id = ${accountId} AND order_id = ANY(${orderIds}) ORDER BY id`.execute(db);
  return rows;
}

/** How many each order has; none for one without. */
export async function countShipmentsOf(
  tx: Tx,
  accountId: string,
  orderIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ order_id: string; shipment_count: number }>`
    SELECT order_id, count(*)::integer AS shipment_count FROM shipments
    WHERE account_id = ${accountId} AND order_id = ANY(${orderIds}) GROUP BY order_id`.execute(tx);
  return new Map(rows.map(({ order_id, shipment_count }) => [order_id, shipment_count]));
}

/** The shipments of one order, locked until the transaction ends. */
export async function lockShipmentsOf(
  tx: Tx,
  { account_id, id }: OrderKey,
): Promise<ShipmentOfOrder[]> {
  const { rows } = await sql<ShipmentOfOrder>`
    SELECT order_id, id, status FROM shipments
    WHERE account_id = ${account_id} AND order_id = ${id} ORDER BY id FOR NO KEY UPDATE`.execute(
    tx,
  );
  return rows;
}

/** What an order's fulfilment is derived from. */
export async function contentsOf(tx: Tx, { account_id, id }: OrderKey): Promise<LinkedShipment[]> {
  const { rows } = await sql<LinkedShipment>`
    SELECT status, is_return, items FROM shipments
    WHERE account_id = ${account_id} AND order_id = ${id} ORDER BY id`.execute(tx);
  return rows;
}

/** Writes an order's new number to its shipments, which are searched by it. */
export async function renumberShipments(tx: Tx, order: OrderRow): Promise<void> {
  await sql`
    UPDATE shipments SET order_number = ${order.order_number}
    WHERE account_id = ${order.account_id} AND order_id = ${order.id}`.execute(tx);
}

/** Removes an order from its shipments. */
export async function unlinkShipments(tx: Tx, { account_id, id }: OrderKey): Promise<void> {
  await sql`
    UPDATE shipments SET order_id = NULL, order_number = NULL
    WHERE account_id = ${account_id} AND order_id = ${id}`.execute(tx);
}
