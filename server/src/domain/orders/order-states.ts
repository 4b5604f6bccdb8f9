import { fulfilments, type Fulfilment, type OrderStatus } from "./order-status.ts";

type Transitions = Record<OrderStatus, readonly OrderStatus[]>;

/** An order's transitions by its shipments. One that was set aside stays so, whatever they do. */
export const transitionsByShipments: Transitions = {
  unfulfilled: ["partially_fulfilled", "fulfilled"],
  partially_fulfilled: ["unfulfilled", "fulfilled"],
  fulfilled: ["unfulfilled", "partially_fulfilled"],
  on_hold: [],
  cancelled: [],
};

/**
 * The transitions by the merchant. An order that was set aside is reopened, and its status then follows
 * from its shipments. An order that is wholly shipped can neither be held nor cancelled: its shipments
 * are voided first.
 */
export const transitionsByMerchant: Transitions = {
  unfulfilled: ["on_hold", "cancelled"],
  partially_fulfilled: ["on_hold", "cancelled"],
  fulfilled: [],
  on_hold: ["unfulfilled", "partially_fulfilled", "fulfilled", "cancelled"],
  cancelled: ["unfulfilled", "partially_fulfilled", "fulfilled", "on_hold"],
};

export function isFulfilment(status: OrderStatus): status is Fulfilment {
  return fulfilments.includes(status as Fulfilment);
}

/** The status of an order after a change of its `fulfilment`. */
export function afterShipments(status: OrderStatus, fulfilment: Fulfilment): OrderStatus {
  return transitionsByShipments[status].includes(fulfilment) ? fulfilment : status;
}

/**
 * The status of an order when the merchant requests `wanted`; null where its state forbids that. A
 * status derived from shipments means "open": the order then has the status that follows from its
 * shipments, as it has anyway unless it was set aside.
 */
export function afterMerchant(
  status: OrderStatus,
  wanted: OrderStatus,
  fulfilment: Fulfilment,
): OrderStatus | null {
  const to = isFulfilment(wanted) ? fulfilment : wanted;
  if (to === status) return status;
  return transitionsByMerchant[status].includes(to) ? to : null;
}
