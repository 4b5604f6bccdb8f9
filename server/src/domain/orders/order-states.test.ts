import { describe, expect, test } from "vitest";
import {
  afterMerchant,
  afterShipments,
  isFulfilment,
  transitionsByMerchant,
  transitionsByShipments,
} from "./order-states.ts";
import { fulfilments, orderStatuses, type OrderStatus } from "./order-status.ts";

/** Every transition of an order, stated independently; a transition that is not here must not happen. */

const byShipments = new Set([
  "unfulfilled → partially_fulfilled",
  "unfulfilled → fulfilled",
  "partially_fulfilled → unfulfilled",
  "partially_fulfilled → fulfilled",
  "fulfilled → unfulfilled",
  "fulfilled → partially_fulfilled",
]);
const byMerchant = new Set([
  "unfulfilled → on_hold",
  "unfulfilled → cancelled",
  "partially_fulfilled → on_hold",
  "partially_fulfilled → cancelled",
  "on_hold → cancelled",
  "cancelled → on_hold",
  ...fulfilments.flatMap((each) => [`on_hold → ${each}`, `cancelled → ${each}`]),
]);

function movesOf(table: Record<OrderStatus, readonly OrderStatus[]>): Set<string> {
  return new Set(orderStatuses.flatMap((from) => table[from].map((to) => `${from} → ${to}`)));
}

test("an order moves as the tables say, and in no other way", () => {
  expect(movesOf(transitionsByShipments)).toEqual(byShipments);
  expect(movesOf(transitionsByMerchant)).toEqual(byMerchant);
});

describe.each(orderStatuses)("an order that is %s", (status) => {
  test("follows its shipments, unless it was set aside", () => {
    for (const fulfilment of fulfilments)
      expect(afterShipments(status, fulfilment)).toBe(isFulfilment(status) ? fulfilment : status);
  });

  test("is held, cancelled and reopened where the table allows it", () => {
    for (const wanted of orderStatuses)
      for (const fulfilment of fulfilments) {
        // Its status follows from its shipments, unless it was set aside.
        if (isFulfilment(status) && status !== fulfilment) continue;
        const to = isFulfilment(wanted) ? fulfilment : wanted;
        const allowed = to === status || byMerchant.has(`${status} → ${to}`);
        expect(afterMerchant(status, wanted, fulfilment)).toBe(allowed ? to : null);
      }
  });
});
