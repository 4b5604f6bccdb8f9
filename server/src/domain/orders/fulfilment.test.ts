import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fulfilmentOf, remainingItems, type LinkedShipment } from "./fulfilment.ts";
import type { Item } from "../goods/parcel.ts";
import { shipmentStatuses } from "../shipments/shipment-status.ts";

function line(sku: string | null, quantity: number, title = "Mug"): Item {
  return {
    sku,
    title,
    quantity,
    value: 5,
    currency: "CAD",
    description: null,
    customs_description: null,
    weight: null,
    weight_unit: null,
    country_of_origin: null,
    hs_code: null,
    manufacturer: null,
  };
}

function shipment(items: Item[], changes: Partial<LinkedShipment> = {}): LinkedShipment {
  return { status: "purchased", is_return: false, items, ...changes };
}

const order = [line("CUP", 3), line("BOWL", 1), line(null, 2, "Gift card")];

describe("an order of several lines", () => {
  test.each([
    ["nothing", [], "unfulfilled", [0, 0, 0]],
    ["a part of a line", [shipment([line("CUP", 2)])], "partially_fulfilled", [2, 0, 0]],
    ["something else", [shipment([line("PLATE", 9)])], "partially_fulfilled", [0, 0, 0]],
    ["all of it in one", [shipment(order)], "fulfilled", [3, 1, 2]],
    [
      "all of it in two",
      [shipment([line("CUP", 3)]), shipment([line("BOWL", 1), line(null, 2, "Gift card")])],
      "fulfilled",
      [3, 1, 2],
    ],
    ["more than all of it", [shipment(order), shipment(order)], "fulfilled", [3, 1, 2]],
    ["a shipment that lists nothing", [shipment([])], "fulfilled", [3, 1, 2]],
    ["a return", [shipment(order, { is_return: true })], "unfulfilled", [0, 0, 0]],
    [
      "a title where the line has a sku",
      [shipment([line(null, 3)])],
      "partially_fulfilled",
      [0, 0, 0],
    ],
  ] as const)("by %s", (_name, linked, fulfilment, quantities) => {
    const found = fulfilmentOf(order, linked);
    expect(found.fulfilment).toBe(fulfilment);
    expect(found.items.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual(quantities);
  });

  test("is fulfilled by live labels and bookings only", () => {
    const live = shipmentStatuses.filter(
      (status) => fulfilmentOf(order, [shipment([], { status })]).fulfilment === "fulfilled",
    );
    expect(live).toEqual([
      "purchased",
      "void_pending",
      "in_transit",
      "delivered",
      "exception",
      "returned",
      "booked",
    ]);
  });
});

test("an order without lines is fulfilled by its first shipment", () => {
  expect(fulfilmentOf([], []).fulfilment).toBe("unfulfilled");
  expect(fulfilmentOf([], [shipment([line("CUP", 1)])]).fulfilment).toBe("fulfilled");
});

test("two lines of one sku share the shipped quantity", () => {
  const found = fulfilmentOf([line("CUP", 2), line("CUP", 2)], [shipment([line("CUP", 3)])]);
  expect(found.items.map(({ fulfilled_quantity }) => fulfilled_quantity)).toEqual([2, 1]);
  expect(remainingItems(found.items)).toEqual([line("CUP", 1)]);
});

describe("for any order and any shipments", () => {
  const lines = fc.array(
    fc.record({
      sku: fc.constantFrom("A", "B", "C", null),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 5 },
  );
  const toItems = (rows: { sku: string | null; quantity: number }[]) =>
    rows.map(({ sku, quantity }) => line(sku, quantity));
  const shipments = fc.array(
    fc.record({
      status: fc.constantFrom(...shipmentStatuses),
      is_return: fc.boolean(),
      rows: lines,
    }),
    { maxLength: 4 },
  );

  test("shipping what remains fulfils it, in whatever order the shipments are read", () => {
    fc.assert(
      fc.property(lines, shipments, (ordered, linked) => {
        const items = toItems(ordered);
        const before = linked.map(({ rows, ...rest }) => ({ ...rest, items: toItems(rows) }));
        const { fulfilment, items: counted } = fulfilmentOf(items, before);
        expect(fulfilmentOf(items, before.toReversed())).toEqual({ fulfilment, items: counted });
        for (const each of counted) {
          expect(each.fulfilled_quantity).toBeGreaterThanOrEqual(0);
          expect(each.fulfilled_quantity).toBeLessThanOrEqual(each.quantity);
        }
        const rest = shipment(remainingItems(counted));
        expect(fulfilmentOf(items, [...before, rest]).fulfilment).toBe("fulfilled");
        // More labels never make it less fulfilled.
        const order = ["unfulfilled", "partially_fulfilled", "fulfilled"];
        const more = fulfilmentOf(items, [...before, shipment([line("A", 1)])]).fulfilment;
        expect(order.indexOf(more)).toBeGreaterThanOrEqual(order.indexOf(fulfilment));
      }),
    );
  });
});
