import type { Item } from "../goods/parcel.ts";
import type { Fulfilment } from "./order-status.ts";
import { isLabelled } from "../shipments/shipment-states.ts";
import type { ShipmentStatus } from "../shipments/shipment-status.ts";

/** A line of an order: the item, and how much of it is shipped. */
export interface OrderItem extends Item {
  fulfilled_quantity: number;
}

/** The facts of a shipment that decide whether it fulfils an order, and how much of it. */
export interface LinkedShipment {
  status: ShipmentStatus;
  is_return: boolean;
  items: readonly Pick<Item, "sku" | "title" | "quantity">[];
}

/**
 * How far an order is fulfilled by the shipments that are linked to it (decision 14). Those with a live
 * label or booking count; returns do not. One without items is taken to carry the whole order. Otherwise
 * its items are counted against the order's lines of the same sku, or, where a line has none, of the same
 * title. An order is fulfilled when every line is covered, or, when it has no lines, by the first
 * shipment; while something is shipped it is fulfilled in part.
 */
export function fulfilmentOf(
  lines: readonly Item[],
  linked: readonly LinkedShipment[],
): { fulfilment: Fulfilment; items: OrderItem[] } {
  const shipped = linked.filter(({ status, is_return }) => isLabelled(status) && !is_return);
  const items = covered(lines, shipped);
  if (shipped.length === 0) return { fulfilment: "unfulfilled", items };
  const isWhole = items.every(({ quantity, fulfilled_quantity }) => fulfilled_quantity >= quantity);
  return { fulfilment: isWhole ? "fulfilled" : "partially_fulfilled", items };
}

function covered(lines: readonly Item[], shipped: readonly LinkedShipment[]): OrderItem[] {
  if (shipped.some(({ items }) => items.length === 0))
    return lines.map((line) => ({ ...line, fulfilled_quantity: line.quantity }));
  const left = new Map<string, number>();
  for (const item of shipped.flatMap(({ items }) => items))
    left.set(keyOf(item), (left.get(keyOf(item)) ?? 0) + item.quantity);
  return lines.map((line) => {
    const key = keyOf(line);
    const fulfilled_quantity = Math.min(line.quantity, left.get(key) ?? 0);
    left.set(key, (left.get(key) ?? 0) - fulfilled_quantity);
    return { ...line, fulfilled_quantity };
  });
}

function keyOf({ sku, title }: Pick<Item, "sku" | "title">): string {
  return sku === null ? `title ${title}` : `sku ${sku}`;
}

/**
 * The part of an order that is not shipped yet: the lines of its next shipment. All of it when nothing is
 * left.
 */
export function remainingItems(items: readonly OrderItem[]): Item[] {
  const open = items.filter(({ quantity, fulfilled_quantity }) => fulfilled_quantity < quantity);
  const next = open.length > 0 ? open : items.map((item) => ({ ...item, fulfilled_quantity: 0 }));
  return next.map(({ fulfilled_quantity, ...item }) => ({
    ...item,
    quantity: item.quantity - fulfilled_quantity,
  }));
}
