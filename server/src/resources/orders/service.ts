/** The parts of orders that other resources may use. */
export { createOneOrder } from "./create-orders.ts";
export { countOrdersUpTo, listOrders } from "./list-store.ts";
export { readNewOrder } from "./new-order.ts";
export { NewOrder, Order } from "./schemas.ts";
export { toOrder } from "./view.ts";
