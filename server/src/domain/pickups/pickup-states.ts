import { OneOf } from "../values/schema.ts";

/**
 * The states of a pickup (decisions 10 and 22). Each carrier of a pickup comes separately, so that
 * each part has states of its own, as one table; the pickup's status follows from its parts.
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

/**
 * `scheduled`: requested, the carrier's response not received. `cancelling`: the same of its
 * cancellation.
 */
export type PartStatus = PickupStatus | "cancelling";
export const PartStatus = OneOf([...pickupStatuses, "cancelling"] as const, {
  $id: "PickupPartStatus",
});

/** Transitions not listed are forbidden. A cancellation that the carrier refuses changes nothing. */
export const partTransitions: Record<PartStatus, readonly PartStatus[]> = {
  scheduled: ["confirmed", "failed"],
  confirmed: ["cancelling", "picked_up"],
  cancelling: ["cancelled", "confirmed"],
  picked_up: [],
  failed: [],
  cancelled: [],
};

/** The states from which a part may become `to`: the condition of a guarded UPDATE. */
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
 * `scheduled` until every carrier has responded; then `confirmed` while one is still to come,
 * `picked_up` when all that accepted have come, `cancelled` or `failed` when none does.
 */
export function pickupStatusOf(parts: readonly PartStatus[]): PickupStatus {
  const any = (...wanted: PartStatus[]) => parts.some((status) => wanted.includes(status));
  if (any("scheduled")) return "scheduled";
  if (any("confirmed", "cancelling")) return "confirmed";
  if (any("picked_up")) return "picked_up";
  return any("cancelled") ? "cancelled" : "failed";
}
