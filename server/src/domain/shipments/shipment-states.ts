import type { ShipmentStatus, ShipmentType } from "./shipment-status.ts";

type Transitions = Record<ShipmentStatus, readonly ShipmentStatus[]>;

/** The states of a courier shipment as one table (decision 22). Transitions not listed are forbidden. */
export const courierTransitions: Transitions = {
  draft: ["purchasing", "cancelled"],
  purchasing: ["purchased", "draft", "purchase_pending"],
  purchase_pending: ["purchased", "draft"],
  purchased: ["void_pending", "in_transit"],
  void_pending: ["voided", "purchased"],
  // A carrier that refuses the refund because the label was scanned after the void: the label is live
  // again (decision 8).
  voided: ["purchased"],
  in_transit: ["delivered", "exception", "returned"],
  exception: ["in_transit", "delivered"],
  returned: ["in_transit", "delivered"],
  delivered: [],
  cancelled: [],
  booked: [],
};

/**
 * The states of an LTL shipment: a booking in place of a label, which is cancelled and not voided.
 * Until its carrier has confirmed the cancellation, it is `void_pending`.
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

/** The states from which a shipment of that type may become `to`: the condition of a guarded UPDATE. */
export function statesBefore(type: ShipmentType, to: ShipmentStatus): ShipmentStatus[] {
  return (Object.keys(transitions[type]) as ShipmentStatus[]).filter((from) =>
    canBecome(type, from, to),
  );
}

/** The status of a shipment of that type after its purchase. */
export function purchasedStatus(type: ShipmentType): "purchased" | "booked" {
  return type === "ltl" ? "booked" : "purchased";
}

/** Before a purchase everything may change; after it only the merchant's own fields (decision 6). */
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

/** Whether a transition to that state may change `isLabelled`: then its order is recomputed. */
export function touchesFulfilment(type: ShipmentType, to: ShipmentStatus): boolean {
  return statesBefore(type, to).some((from) => isLabelled(from) !== isLabelled(to));
}

/** Whether a label or booking is void, or may be by now: then it must not be shipped with its documents. */
export function isTakenBack(status: ShipmentStatus): boolean {
  return status === "void_pending" || isVoided(status);
}

/** Whether nothing is or will be shipped: what decision 22 calls voided, a cancelled draft included. */
export function isVoided(status: ShipmentStatus): boolean {
  return status === "voided" || status === "cancelled";
}
