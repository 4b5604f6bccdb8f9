import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { invalid } from "../../domain/errors/errors.ts";
import type { Validated } from "../../http/creation-summary.ts";
import { lockForLinks, unknownOrders, type Link } from "../orders/links.ts";
import type { ShipmentRow } from "./store.ts";

const noOrder = "is no order of this account.";

/**
 * Links shipments to the orders that they name, which are locked against deletion until the transaction ends:
 * an order's number is written next to its id, for searches. Copies nothing else from an order. Returns for
 * each row, in order, the linked row, or that there is no such order.
 */
export async function linkToOrders(
  { config }: AccountContext,
  tx: Tx,
  rows: readonly ShipmentRow[],
): Promise<Validated<ShipmentRow>[]> {
  const ids = rows.flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
  const links = await lockForLinks(tx, rows[0]?.account_id ?? "", ids);
  return rows.map((row) => {
    if (row.order_id === null) return { row: { ...row, order_number: null }, error: null };
    const link = links.get(row.order_id);
    const sentence = link ? takePlace(link, config.order_shipments_max) : noOrder;
    if (!link || sentence)
      return { row: null, error: invalid({ order_id: [sentence ?? noOrder] }) };
    return { row: { ...row, order_number: link.order_number }, error: null };
  });
}

/** An order is read with all of its shipments whenever one of them is bought, so their number is limited. */
function takePlace(link: Link, most: number): string | null {
  if (link.shipment_count >= most)
    return `names an order that has ${most} shipments, and no order has more.`;
  link.shipment_count++;
  return null;
}

/**
 * The problem of each entry's `order_id` before anything is written, so that one response names all failing
 * fields: null when the entry names none, or one that exists.
 */
export async function orderProblems(
  { db, account }: AccountContext,
  entries: readonly unknown[],
): Promise<(string | null)[]> {
  const ids = entries.map((entry) => (entry as { order_id?: unknown } | null)?.order_id ?? null);
  const texts = ids.filter((id) => typeof id === "string");
  const unknown = await unknownOrders(db, account.account_id, texts);
  return ids.map((id) => (typeof id === "string" && unknown.has(id) ? noOrder : null));
}
