import { describe, expect, test } from "vitest";
import { canBecome, purchasedStatus, statesBefore } from "./shipment-states.ts";
import { shipmentStatuses, shipmentTypes, type ShipmentStatus } from "./shipment-status.ts";

/** Each line of decision 22, stated independently; a transition that is not here must be forbidden. */
const moves = {
  courier: `
    draft → purchasing → purchased → in_transit → delivered
    purchasing → draft
    purchasing → purchase_pending → purchased
    purchase_pending → draft
    purchased → void_pending → voided
    void_pending → purchased
    voided → purchased
    draft → cancelled
    in_transit → exception → in_transit
    exception → delivered
    in_transit → returned → in_transit
    returned → delivered`,
  ltl: `
    draft → purchasing → booked → in_transit → delivered
    purchasing → draft
    purchasing → purchase_pending → booked
    purchase_pending → draft
    booked → void_pending → cancelled
    void_pending → booked
    draft → cancelled
    in_transit → exception → in_transit
    exception → delivered
    in_transit → returned → in_transit
    returned → delivered`,
} as const;

describe.each(shipmentTypes)("a %s shipment", (type) => {
  const allowed = new Set(
    moves[type].split("\n").flatMap((line) => {
      const states = line.trim().split(" → ");
      return states.slice(1).map((to, index) => `${states[index]} → ${to}`);
    }),
  );
  const every = shipmentStatuses.flatMap((from) => shipmentStatuses.map((to) => ({ from, to })));

  test("moves as decision 22 says, and in no other way", () => {
    const found = every.filter(({ from, to }) => canBecome(type, from, to));
    expect(new Set(found.map(({ from, to }) => `${from} → ${to}`))).toEqual(allowed);
  });

  test("has the same predecessors in the database's conditions", () => {
    for (const { from, to } of every)
      expect(statesBefore(type, to).includes(from)).toBe(canBecome(type, from, to));
  });

  test("reaches every state that is its type's, and none that is the other's", () => {
    const reached = new Set<ShipmentStatus>(["draft"]);
    for (const from of reached)
      shipmentStatuses.filter((to) => canBecome(type, from, to)).forEach((to) => reached.add(to));
    const others = type === "courier" ? ["booked"] : ["purchased", "voided"];
    expect(shipmentStatuses.filter((status) => !reached.has(status)).sort()).toEqual(others.sort());
    expect(reached).toContain(purchasedStatus(type));
  });
});
