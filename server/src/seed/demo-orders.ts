import { demoShipments, type DemoShipment } from "./demo-shipments.ts";

/** The orders of the invented shop: one for each of its shipments, and a few that wait to be packed. */

const sources = ["shopify", "shopify", "woocommerce", "manual"] as const;

/** The order that a shipment of the shop fulfils. */
export function demoOrder({ reference, to_address, items, tags }: DemoShipment["entry"]) {
  const subtotal = items.reduce((sum, { value, quantity }) => sum + value * quantity, 0);
  return {
    order_number: reference,
    source: sources[Number(reference.slice(-1)) % sources.length],
    customer: { name: to_address.name, phone: to_address.phone },
    to_address,
    items,
    requested_service: "Standard",
    totals: { subtotal, shipping: 0, total: subtotal, currency: "CAD" },
    tags,
  };
}

/** Orders of this morning: six to be packed, one of which is on hold. */
export function waitingOrders(count = 6): object[] {
  return demoShipments(count).map(({ entry }, index) => ({
    ...demoOrder({ ...entry, reference: `MP-${2100 + index}` }),
    packages: entry.packages,
    ...(index === 2 ? { status: "on_hold", notes: "The engraving is not back yet." } : {}),
  }));
}
