import type { WaitingParcels } from "@waybill/sdk";
import { expect, test } from "vitest";
import type { PickupChoice } from "../../pickup-choice.ts";
import { narrowed } from "./narrowed.ts";

const parcels = (carrier: string, shipment_ids: string[], shipment_count = shipment_ids.length) =>
  ({ carrier, shipment_ids, shipment_count }) as WaitingParcels;
const chosen = (id: string, changes: Partial<PickupChoice> = {}) =>
  ({ id, type: "courier", status: "purchased", pickup_id: null, ...changes }) as PickupChoice;

const waiting = {
  data: [parcels("ups", ["a", "b", "c"]), parcels("fedex", ["d"]), parcels("purolator", ["e"])],
  meta: { capped: false },
};

test("of what waits the chosen ones are left, by their carrier and address", () => {
  const { groups, left } = narrowed(waiting, [chosen("b"), chosen("d"), chosen("a")]);
  expect(groups).toMatchObject([
    { carrier: "ups", shipment_ids: ["a", "b"], isPart: true },
    { carrier: "fedex", shipment_ids: ["d"], isPart: false },
  ]);
  expect(left).toEqual([]);
});

test.each<[string, Partial<PickupChoice>]>([
  ["freight", { type: "ltl", status: "booked" }],
  ["no_label", { status: "draft" }],
  ["no_label", { status: "void_pending" }],
  ["moving", { status: "in_transit" }],
  ["in_pickup", { pickup_id: "pku_1" }],
  ["not_fetched", {}],
])("one that does not wait is left out as %s when it is %j", (reason, changes) => {
  const { groups, left } = narrowed(waiting, [chosen("z", changes)]);
  expect(groups).toEqual([]);
  expect(left).toMatchObject([{ shipment: { id: "z" }, reason }]);
});

test("where more waits than is listed, nothing is said for certain of one that is not", () => {
  const reasonIn = (list: typeof waiting) => narrowed(list, [chosen("z")]).left[0]!.reason;
  expect(reasonIn({ ...waiting, meta: { capped: true } })).toBe("not_listed");
  expect(reasonIn({ ...waiting, data: [parcels("ups", ["a"], 150)] })).toBe("not_listed");
});
