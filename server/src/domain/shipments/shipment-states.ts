import type { ShipmentStatus, ShipmentType } from "./shipment-status.ts";

type Transitions = Record<ShipmentStatus, readonly ShipmentStatus[]>;

/** The life of a courier shipment as one table (decision 22). Whatever is not here is forbidden. */
export const courierTransitions: Transitions = {
  draft: ["purchasing", "cancelled"],
  purchasing: ["purchased", "draft", "purchase_pending"],
  purchase_pending: ["purchased", "draft"],
  purchased: ["void_pending", "in_transit"],
  void_pending: ["voided", "purchased"],
  // A carrier that refuses the refund after the void was scanned: the label lives again (decision 8).
  voided: ["purchased"],
  in_transit: ["delivered", "exception", "returned"],
  exception: ["in_transit", "delivered"],
  returned: ["in_transit", "delivered"],
  delivered: [],
  cancelled: [],
  booked: [],
};

/**
 * The life of an LTL shipment: a booking in place of a label, which is cancelled and not voided. While
 * its carrier has not said that it is cancelled, it is `void_pending`.
 */
export const ltlTransitions: Transitions = {
  ...courierTransitions,
  purchasing: ["booked", "draft", "purchase_pending"],
  purchase_pending: ["booked", "draft"],
  booked: ["void_pending", "in_transit"],
  void_pending: ["cancelled", "booked"],
  purchased: [],
  voided: [],
};

const transitions: Record<ShipmentType, Transitions> = {
  courier: courierTransitions,
  ltl: ltlTransitions,
};

export function canBecome(type: ShipmentType, from: ShipmentStatus, to: ShipmentStatus): boolean {
  return transitions[type][from].includes(to);
}

/** The states from which a shipment of that type may become `to`: what a guarded UPDATE asks for. */
export function statesBefore(type: ShipmentType, to: ShipmentStatus): ShipmentStatus[] {
  return (Object.keys(transitions[type]) as ShipmentStatus[]).filter((from) =>
    canBecome(type, from, to),
  );
}

/** What a shipment of that type becomes when its carrier has sold to us. */
export function purchasedStatus(type: ShipmentType): "purchased" | "booked" {
  return type === "ltl" ? "booked" : "purchased";
}

/** Before a purchase everything may change; after it only what is the merchant's own (decision 6). */
export function isLabelled(status: ShipmentStatus): boolean {
  return [
    "purchased",
    "void_pending",
    "in_transit",
    "exception",
    "returned",
    "delivered",
    "booked",
  ].includes(status);
}

/** Whether a move to that state may begin or end what `isLabelled` says: then its order is looked at. */
export function touchesFulfilment(type: ShipmentType, to: ShipmentStatus): boolean {
  return statesBefore(type, to).some((from) => isLabelled(from) !== isLabelled(to));
}

/** Whether a label or booking is void, or may be by now: then nobody is to ship with its papers. */
export function isTakenBack(status: ShipmentStatus): boolean {
  return status === "void_pending" || isVoided(status);
}

/** Whether nothing is or will be on its way: what decision 22 calls voided, a cancelled draft included. */
export function isVoided(status: ShipmentStatus): boolean {
  return status === "voided" || status === "cancelled";
}
