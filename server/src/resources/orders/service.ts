/** What other resources may use of orders. */
export { createOneOrder } from "./create-orders.ts";
export { followShipments } from "./follow-shipments.ts";
export { countOrdersUpTo, listOrders } from "./list-store.ts";
export { NewOrder, Order } from "./schemas.ts";
export { readNewOrder } from "./new-order.ts";
export { getOrder, shipmentsOf, type OrderRow } from "./store.ts";
export { toOrder } from "./view.ts";
export { lockForLinks, unknownOrders, type Link } from "./links.ts";
