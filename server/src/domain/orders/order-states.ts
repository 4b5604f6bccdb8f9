import { fulfilments, type Fulfilment, type OrderStatus } from "./order-status.ts";

type Transitions = Record<OrderStatus, readonly OrderStatus[]>;

/** How an order moves when its shipments do. One that was set aside stays so, whatever they do. */
export const transitionsByShipments: Transitions = {
  unfulfilled: ["partially_fulfilled", "fulfilled"],
  partially_fulfilled: ["unfulfilled", "fulfilled"],
  fulfilled: ["unfulfilled", "partially_fulfilled"],
  on_hold: [],
  cancelled: [],
};

/**
 * How the merchant moves it. What was set aside is opened again, and is then what its shipments say. An
 * order that is wholly on its way can neither be held nor cancelled: its shipments are voided first.
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

/** What an order becomes when its shipments say `fulfilment`. */
export function afterShipments(status: OrderStatus, fulfilment: Fulfilment): OrderStatus {
  return transitionsByShipments[status].includes(fulfilment) ? fulfilment : status;
}

/**
 * What an order becomes when the merchant asks for `wanted`; null where its state forbids that. Whatever
 * shipments decide means "open": the order is then what its shipments say, as it is anyway unless it was
 * set aside.
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
