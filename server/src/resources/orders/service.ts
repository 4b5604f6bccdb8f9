/** What other resources may use of orders. */
export { createOneOrder } from "./create-orders.ts";
export { followShipments } from "./follow-shipments.ts";
export { lockForLinks, unknownOrders, type Link } from "./links.ts";
