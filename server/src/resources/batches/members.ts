import type { TSchema } from "typebox";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import {
  addProblem,
  ApiError,
  invalid,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { idsIn } from "../../domain/validation/given-ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import * as store from "../../shipping/batches/member-store.ts";

/** Which shipments may be in a batch: of the account, each once, in one unfinished batch. */

/** The most messages of one response. */
const problemsMax = 500;

/** All problems of the body of a batch, except those that need the database. */
export function problemsOfBatch({ config }: Context, schema: TSchema, body: unknown): Problems {
  const { name, shipment_ids } = (body ?? {}) as Partial<Record<string, unknown>>;
  const most = config.batch_shipments_max;
  // Entries beyond the limit are too many, whatever they are.
  const isLong = Array.isArray(shipment_ids) && shipment_ids.length > most;
  const validated = isLong ? { ...body!, shipment_ids: shipment_ids.slice(0, most) } : body;
  const problems = problemsOf(schema, validated);
  if (typeof name === "string" && name !== "" && cleanText(name) === null)
    addProblem(problems, "name", "must not be blank.");
  addListProblems(problems, shipment_ids, most);
  return problems;
}

/** Names every position of the list that repeats an earlier one, and the list when it is too long. */
function addListProblems(problems: Problems, shipment_ids: unknown, most: number): void {
  if (!Array.isArray(shipment_ids)) return;
  if (shipment_ids.length > most)
    addProblem(problems, "shipment_ids", `must have at most ${most} items.`);
  const places = new Map<unknown, number>();
  let count = 0;
  for (const [place, id] of shipment_ids.slice(0, most).entries()) {
    const first = places.get(id);
    if (first === undefined) places.set(id, place);
    else if (count++ < problemsMax)
      addProblem(problems, `shipment_ids.${place}`, `is the same as shipment_ids.${first}.`);
  }
}

/**
 * Throws 422 where there are problems, and names the unknown shipments beside them. Alone these are found when the
 * shipments are locked.
 */
export async function refuseInvalid(
  { db, account, config }: Context,
  body: unknown,
  problems: Problems,
): Promise<void> {
  if (Object.keys(problems).length === 0) return;
  const { shipment_ids } = (body ?? {}) as Partial<Record<string, unknown>>;
  const isListed = Array.isArray(shipment_ids) && shipment_ids.length <= config.batch_shipments_max;
  // What has a problem already is no id, or was named before.
  const wanted = (isListed ? (shipment_ids as unknown[]) : []).map((id, place) =>
    `shipment_ids.${place}` in problems ? null : id,
  );
  const ids = idsIn(wanted, config.batch_shipments_max).map(({ id }) => id);
  const unknown = new Set<unknown>(ids);
  for (const id of await store.listExisting(db, account.account_id, ids)) unknown.delete(id);
  addUnknown(problems, unknown, wanted);
  throw invalid(problems);
}

/** The ids of the body's list that can be looked up, as the list has them. */
export function idsOfBatch({ config }: Context, body: unknown): string[] {
  const { shipment_ids } = (body ?? {}) as Partial<Record<string, unknown>>;
  return idsIn(shipment_ids, config.batch_shipments_max).map(({ id }) => id);
}

/**
 * Reserves the shipments for the batch until the transaction ends. Throws 422 naming the positions of unknown
 * ones in the list as it was given, in addition to the `problems` that are known already; 409 `shipment_in_use`
 * naming the shipments.
 */
export async function joinBatch(
  tx: Tx,
  { account_id: accountId, batch_id, shipment_ids }: store.Members,
  { given, problems = {} }: { given: readonly unknown[]; problems?: Problems },
): Promise<void> {
  const found = await store.lockShipments(tx, accountId, shipment_ids);
  const unknown = new Set(shipment_ids);
  for (const { id } of found) unknown.delete(id);
  addUnknown(problems, unknown, given);
  throwIfAny(problems);
  await refuseInUse(tx, accountId, { found, batch_id });
}

function addUnknown(
  problems: Problems,
  unknown: ReadonlySet<unknown>,
  given: readonly unknown[],
): void {
  const places = [...given.keys()].filter((place) => unknown.has(given[place]));
  for (const place of places.slice(0, problemsMax))
    addProblem(problems, `shipment_ids.${place}`, "is no shipment of this account.");
}

/** Checked once the shipments are locked, so that a concurrent batch that took one is seen. */
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
