/** What other resources may use of orders. */
export { followShipments } from "./follow-shipments.ts";
export { lockForLinks, unknownOrders, type Link } from "./links.ts";
