import { OneOf } from "../values/schema.ts";

/**
 * The life of a pickup (decisions 10 and 22). Each carrier of a pickup comes by itself, so that each
 * part has a life of its own, as one table; what the pickup is as a whole follows from its parts.
 */

export const pickupStatuses = [
  "scheduled",
  "confirmed",
  "picked_up",
  "failed",
  "cancelled",
] as const;
export type PickupStatus = (typeof pickupStatuses)[number];
export const PickupStatus = OneOf(pickupStatuses, { $id: "PickupStatus" });

/** `scheduled`: asked for, the carrier's answer not heard. `cancelling`: the same of its cancellation. */
export type PartStatus = PickupStatus | "cancelling";

/** Whatever is not here is forbidden. A cancellation that the carrier refuses changes nothing. */
export const partTransitions: Record<PartStatus, readonly PartStatus[]> = {
  scheduled: ["confirmed", "failed"],
  confirmed: ["cancelling", "picked_up"],
  cancelling: ["cancelled", "confirmed"],
  picked_up: [],
  failed: [],
  cancelled: [],
};

/** The states from which a part may become `to`: what a guarded UPDATE asks for. */
export function partStatesBefore(to: PartStatus): PartStatus[] {
  return (Object.keys(partTransitions) as PartStatus[]).filter((from) =>
    partTransitions[from].includes(to),
  );
}

/** The carrier may still come: the parcels of such a part are in no other pickup. */
export const openPartStatuses: readonly PartStatus[] = ["scheduled", "confirmed", "cancelling"];

export function isOpen(status: PartStatus): boolean {
  return openPartStatuses.includes(status);
}

/**
 * `scheduled` until every carrier has answered; then `confirmed` while one is still to come,
 * `picked_up` when all that come have come, `cancelled` or `failed` when none does.
 */
export function pickupStatusOf(parts: readonly PartStatus[]): PickupStatus {
  const any = (...wanted: PartStatus[]) => parts.some((status) => wanted.includes(status));
  if (any("scheduled")) return "scheduled";
  if (any("confirmed", "cancelling")) return "confirmed";
  if (any("picked_up")) return "picked_up";
  return any("cancelled") ? "cancelled" : "failed";
}
