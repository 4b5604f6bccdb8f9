import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Order, OrderItem, OrderStatus } from "@waybill/sdk";
import type { Environment } from "../../environment.ts";
import { waybillOf } from "../../waybill.ts";

export interface OrderFilters {
  q?: string | undefined;
  status?: string | undefined;
}

/** The list, page after page, the newest first. */
export function ordersQuery(environment: Environment, filters: OrderFilters) {
  return infiniteQueryOptions({
    queryKey: [environment, "orders", filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, per_page: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return waybillOf(environment).orders.list(query, { signal }).page();
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next_cursor ?? null,
  });
}

/** One order. */
export function orderQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, "order", id],
    queryFn: async ({ signal }): Promise<Order> =>
      (await waybillOf(environment).orders.get(id, { signal })).data,
  });
}

/** How many of a line are still to be shipped. */
export function leftOf({ quantity, fulfilled_quantity }: OrderItem): number {
  return Math.max(0, quantity - fulfilled_quantity);
}

/** Whether a shipment can be made of it. */
export function isShippable({ status }: { status: OrderStatus }): boolean {
  return status === "unfulfilled" || status === "partially_fulfilled";
}
