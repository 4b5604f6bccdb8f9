import { OneOf } from "../values/schema.ts";

/** The status of an order that follows from its shipments (decision 14). */
export const fulfilments = ["unfulfilled", "partially_fulfilled", "fulfilled"] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** Every status of an order: derived from its shipments, unless the merchant has set it aside. */
export const orderStatuses = [...fulfilments, "on_hold", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export const OrderStatus = OneOf(orderStatuses, { $id: "OrderStatus" });

/** Where an order came from. Its number is unique within its source. */
export const orderSources = ["api", "csv", "shopify", "woocommerce", "manual"] as const;
export type OrderSource = (typeof orderSources)[number];
export const OrderSource = OneOf(orderSources, { $id: "OrderSource" });
