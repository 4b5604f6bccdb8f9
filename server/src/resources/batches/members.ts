import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors.ts";
import * as store from "./member-store.ts";

/** Which shipments may be in a batch: of the account, for a courier, each once, in one unfinished batch. */

/** Nobody reads more sentences than this. */
const problemsMax = 500;

/** Names every place of the list that repeats an earlier one, and the list when it is too long. */
export function addListProblems(
  { config }: Context,
  problems: Problems,
  shipment_ids: unknown,
): void {
  if (!Array.isArray(shipment_ids)) return;
  const most = config.batch_shipments_max;
  if (shipment_ids.length > most)
    addProblem(problems, "shipment_ids", `must have at most ${most} items.`);
  const places = new Map<unknown, number>();
  let count = 0;
  for (const [place, id] of shipment_ids.entries()) {
    const first = places.get(id);
    if (first === undefined) places.set(id, place);
    else if (count++ < problemsMax)
      addProblem(problems, `shipment_ids.${place}`, `is the same as shipment_ids.${first}.`);
  }
}

/**
 * Takes the shipments for the batch until the transaction ends. Throws 422 naming the places of those
 * that there are not in the list as it was given, 409 `not_courier` and `shipment_in_use` naming the
 * shipments.
 */
export async function claimMembers(
  tx: Tx,
  { account_id: accountId, batch_id, shipment_ids }: store.Members,
  given: readonly string[],
): Promise<void> {
  const found = await store.lockShipments(tx, accountId, shipment_ids);
  refuseUnknown(shipment_ids, { found, given });
  refuseFreight(found);
  await refuseInUse(tx, accountId, { found, batch_id });
}

function refuseUnknown(
  shipment_ids: readonly string[],
  { found, given }: { found: store.Member[]; given: readonly string[] },
): void {
  if (found.length === shipment_ids.length) return;
  const unknown = new Set(shipment_ids);
  for (const { id } of found) unknown.delete(id);
  const problems: Problems = {};
  for (const [place, id] of given.entries()) {
    if (!unknown.has(id)) continue;
    addProblem(problems, `shipment_ids.${place}`, "is no shipment of this account.");
    if (Object.keys(problems).length >= problemsMax) break;
  }
  throwIfAny(problems);
}

function refuseFreight(found: store.Member[]): void {
  const freight = found.filter(({ type }) => type !== "courier").map(({ id }) => id);
  if (freight.length === 0) return;
  throw new ApiError("not_courier", {
    message: "A batch buys courier labels; freight is booked by itself.",
    details: { shipment_ids: freight },
  });
}

/** Asked once the shipments are ours, so that no batch that took one meanwhile goes unseen. */
async function refuseInUse(
  tx: Tx,
  accountId: string,
  { found, batch_id }: { found: store.Member[]; batch_id: string },
): Promise<void> {
  const others = found.filter((each) => each.batch_id !== null && each.batch_id !== batch_id);
  if (others.length === 0) return;
  const batchIds = [...new Set(others.map((each) => each.batch_id!))];
  const unfinished = await store.listUnfinished(tx, accountId, batchIds);
  const inUse = new Set(unfinished.map(({ id }) => id));
  const shipment_ids = others.flatMap((each) => (inUse.has(each.batch_id!) ? [each.id] : []));
  if (shipment_ids.length === 0) return;
  throw new ApiError("shipment_in_use", {
    message: "Some of the shipments are in another batch that is not finished.",
    details: { shipment_ids, batch_ids: [...inUse] },
  });
}
