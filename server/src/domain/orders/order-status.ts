import { OneOf } from "../values/schema.ts";

/** What an order's shipments say of it (decision 14). */
export const fulfilments = ["unfulfilled", "partially_fulfilled", "fulfilled"] as const;
export type Fulfilment = (typeof fulfilments)[number];

/** Every state that an order can be in: what its shipments say, unless the merchant has set it aside. */
export const orderStatuses = [...fulfilments, "on_hold", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export const OrderStatus = OneOf(orderStatuses, { $id: "OrderStatus" });

/** Where an order came from. Its number is unique within its source. */
export const orderSources = ["api", "csv", "shopify", "woocommerce", "manual"] as const;
export type OrderSource = (typeof orderSources)[number];
export const OrderSource = OneOf(orderSources, { $id: "OrderSource" });
