import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { addProblem, ApiError, throwIfAny } from "../../domain/errors/errors.ts";
import { answer, noContent, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { addMembers, lastPlace, removeMembers } from "../../shipping/batches/member-store.ts";
import { joinBatch, problemsOfBatch, refuseInvalid } from "./members.ts";
import { Batch, BatchChanges, BatchMembers } from "./schemas.ts";
import * as store from "../../shipping/batches/store.ts";
import { toBatch } from "./view.ts";

/** Changes of a batch, while it is open: later its list states what was processed. */

/** The name, the list of shipments, or both; the fields that the body names. */
export async function updateBatch(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  await refuseInvalid(ctx, body, problemsOfBatch(ctx, BatchChanges, body));
  const { name, shipment_ids } = body as BatchChanges;
  return changeOpen(ctx, id, async (tx, batch) => {
    if (name !== undefined) await store.changeBatch(tx, batch, { name });
    if (shipment_ids !== undefined)
      await replaceMembers(ctx, tx, { batch, shipment_ids, given: shipment_ids });
  });
}

/** Appends shipments; one that is in the batch already keeps its position. */
export async function addShipments(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  await refuseInvalid(ctx, body, problemsOfBatch(ctx, BatchMembers, body));
  const { shipment_ids: added } = body as BatchMembers;
  return changeOpen(ctx, id, async (tx, batch) => {
    const shipment_ids = [...new Set([...batch.shipment_ids, ...added])];
    if (shipment_ids.length > ctx.config.batch_shipments_max) {
      const sentence = `would make the batch larger than ${ctx.config.batch_shipments_max} shipments.`;
      throwIfAny({ shipment_ids: [sentence] });
    }
    await replaceMembers(ctx, tx, { batch, shipment_ids, given: added });
  });
}

/** Removes shipments. Throws 422 naming the positions of those that are not in the batch. */
export async function removeShipments(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  throwIfAny(problemsOfBatch(ctx, BatchMembers, body));
  const { shipment_ids: removed } = body as BatchMembers;
  return changeOpen(ctx, id, async (tx, batch) => {
    const members = new Set(batch.shipment_ids);
    const problems = {};
    for (const [place, each] of removed.entries())
      if (!members.delete(each))
        addProblem(problems, `shipment_ids.${place}`, "is not in this batch.");
    throwIfAny(problems);
    await replaceMembers(ctx, tx, { batch, shipment_ids: [...members], given: removed });
  });
}

/** Deletes an open batch; its shipments stay, and are free for another (204). */
export async function deleteBatch(ctx: Context, id: string): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const batch = await lockOpen(ctx, tx, id);
    await replaceMembers(ctx, tx, { batch, shipment_ids: [], given: [] });
    await store.deleteBatch(tx, batch);
    return recordResponse(tx, ctx, { answer: noContent(), subject_id: id });
  });
}

async function changeOpen(
  ctx: Context,
  id: string,
  change: (tx: Tx, batch: store.BatchRow) => Promise<void>,
): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const batch = await lockOpen(ctx, tx, id);
    await change(tx, batch);
    const changed = await store.getBatch(tx, batch.account_id, id);
    return recordResponse(tx, ctx, {
      answer: answer(200, Batch, toBatch(ctx, changed)),
      subject_id: id,
    });
  });
}

/** Throws 404, 409 `batch_processing` or `batch_not_open`. */
async function lockOpen(ctx: Context, tx: Tx, id: string): Promise<store.BatchRow> {
  const batch = await store.lockBatch(tx, ctx.account.account_id, id);
  if (batch.status === "open") return batch;
  throw notOpen(batch);
}

/** 409 for changes that only an open batch allows. */
export function notOpen({ status }: Pick<store.BatchRow, "status">): ApiError {
  const code = status === "processing" ? "batch_processing" : "batch_not_open";
  return new ApiError(code, { details: { status } });
}

async function replaceMembers(
  ctx: Context,
  tx: Tx,
  {
    batch,
    shipment_ids,
    given,
  }: { batch: store.BatchRow; shipment_ids: string[]; given: readonly string[] },
): Promise<void> {
  const { account_id, id: batch_id } = batch;
  const [former, next] = [new Set(batch.shipment_ids), new Set(shipment_ids)];
  const now = ctx.clock.now();
  const removed = batch.shipment_ids.filter((id) => !next.has(id));
  const added = shipment_ids.filter((id) => !former.has(id));
  const adding = { account_id, batch_id, shipment_ids: added };
  await joinBatch(tx, adding, { given });
  await removeMembers(tx, { account_id, batch_id, shipment_ids: removed }, now);
  const after = await lastPlace(tx, account_id, batch_id);
  await addMembers(tx, adding, { after, now });
  await store.changeBatch(tx, batch, { shipment_ids });
}
