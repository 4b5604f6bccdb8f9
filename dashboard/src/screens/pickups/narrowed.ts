import type { WaitingParcels } from "@waybill/sdk";
import type { PickupChoice } from "../../pickup-choice.ts";

/** What one carrier could fetch at one address. */
export interface Parcels extends WaitingParcels {
  /** Only the chosen parcels of this group: `package_count` and `total_weight` are of the whole group. */
  isPart?: boolean;
}

type LeftOutReason = "freight" | "no_label" | "moving" | "in_pickup" | "not_fetched" | "not_listed";

export interface Narrowed {
  groups: Parcels[];
  left: { shipment: PickupChoice; reason: LeftOutReason }[];
}

interface Waiting {
  data: readonly WaitingParcels[];
  meta: { capped: boolean };
}

/** The chosen shipments among those that wait, by carrier and address, and why each of the others is not among them. */
export function narrowed(waiting: Waiting, choice: readonly PickupChoice[]): Narrowed {
  const ids = new Set(choice.map(({ id }) => id));
  const groups = waiting.data.flatMap((parcels) => {
    const shipment_ids = parcels.shipment_ids.filter((id) => ids.has(id));
    if (shipment_ids.length === 0) return [];
    return [
      { ...parcels, shipment_ids, isPart: shipment_ids.length < parcels.shipment_ids.length },
    ];
  });
  const isListed = new Set(groups.flatMap(({ shipment_ids }) => shipment_ids));
  const areAll =
    !waiting.meta.capped &&
    waiting.data.every((each) => each.shipment_ids.length === each.shipment_count);
  const left = choice
    .filter(({ id }) => !isListed.has(id))
    .map((shipment) => ({ shipment, reason: reasonOf(shipment, areAll) }));
  return { groups, left };
}

/** States in which a label is not sold yet, or is not to be used any more. */
const without_label = new Set([
  "draft",
  "purchasing",
  "purchase_pending",
  "void_pending",
  "voided",
  "cancelled",
]);

/** As `POST /pickups` would refuse it. */
function reasonOf({ type, status, pickup_id }: PickupChoice, areAll: boolean): LeftOutReason {
  if (type !== "courier") return "freight";
  if (without_label.has(status)) return "no_label";
  if (status !== "purchased") return "moving";
  if (pickup_id !== null) return "in_pickup";
  return areAll ? "not_fetched" : "not_listed";
}
