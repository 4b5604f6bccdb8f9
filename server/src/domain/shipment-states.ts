import type { ShipmentStatus } from "./shipment-status.ts";

/** The life of a courier shipment as one table (decision 22). Whatever is not here is forbidden. */
export const courierTransitions: Record<ShipmentStatus, readonly ShipmentStatus[]> = {
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

export function canBecome(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return courierTransitions[from].includes(to);
}

/** The states from which a shipment may become `to`: what a guarded UPDATE asks for. */
export function statesBefore(to: ShipmentStatus): ShipmentStatus[] {
  return (Object.keys(courierTransitions) as ShipmentStatus[]).filter((from) =>
    canBecome(from, to),
  );
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
