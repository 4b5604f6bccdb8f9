import type { Tx } from "../../database/tables.ts";
import { addProblem, ApiError, type ErrorCode, type Problems } from "../../domain/errors/errors.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { localMoment } from "../../domain/time/time-zones.ts";
import type { GivenId } from "../../domain/validation/given-ids.ts";
import { type PickableShipment, findOpenParts } from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";

/** Which shipments a pickup may have (decision 10). */

/** A problem for each id that is no shipment of the account. */
export function unknownIds(ids: readonly GivenId[], found: readonly PickableShipment[]): Problems {
  const known = new Set(found.map(({ id }) => id));
  const problems: Problems = {};
  for (const { id, index } of ids)
    if (!known.has(id))
      addProblem(problems, `shipment_ids.${index}`, "is no shipment of this account.");
  return problems;
}

/**
 * Throws 409 with the ids of shipments that cannot be collected: freight (`not_courier`), without a live
 * label (`not_labelled`), or with the carrier already (`conflict`).
 */
export function refuseUnlessPickable(shipments: readonly PickableShipment[]): void {
  const refusal = whyNot(shipments);
  if (refusal) throw refusal;
}

/** What `refuseUnlessPickable` throws; null when every one can be collected. */
export function whyNot(shipments: readonly PickableShipment[]): ApiError | null {
  const [freight, bare, moving] = [
    shipments.filter(({ type }) => type !== "courier"),
    shipments.filter(({ status }) => !isLabelled(status) || status === "void_pending"),
    shipments.filter(({ status }) => status !== "purchased"),
  ];
  if (freight.length > 0) return refusal("not_courier", freight);
  if (bare.length > 0) return refusal("not_labelled", bare);
  if (moving.length > 0)
    return refusal("conflict", moving, "The carrier has these parcels already.");
  return null;
}

function refusal(
  code: ErrorCode,
  shipments: readonly PickableShipment[],
  message?: string,
): ApiError {
  return new ApiError(code, {
    message,
    details: {
      shipment_ids: shipments.map(({ id }) => id),
      statuses: Object.fromEntries(shipments.map(({ id, status }) => [id, status])),
    },
  });
}

/**
 * Throws 409 `shipment_in_use` for shipments that another pickup still has. A pickup whose day is over at its
 * address no longer has any: a merchant whose carrier did not come can ask again.
 */
export async function refuseInUse(
  tx: Tx,
  { account_id, ids, now }: { account_id: string; ids: readonly string[]; now: Date },
): Promise<void> {
  const open = await findOpenParts(tx, account_id, ids);
  const inUse = open.filter((pickup) => !isOver(pickup, now));
  if (inUse.length === 0) return;
  throw new ApiError("shipment_in_use", {
    details: {
      shipment_ids: inUse.map(({ shipment_id }) => shipment_id),
      pickup_ids: [...new Set(inUse.map(({ id }) => id))],
    },
  });
}

/** Whether the day of the pickup has passed at its address. */
export function isOver(
  { date, address }: Pick<store.PickupRow, "date" | "address">,
  now: Date,
): boolean {
  return localMoment(now, address).day > date;
}
