import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { throwIfAny } from "../../domain/errors/errors.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { addMembers } from "../../shipping/batches/member-store.ts";
import { idsOfBatch, joinBatch, problemsOfBatch } from "./members.ts";
import { Batch, NewBatch } from "./schemas.ts";
import { newBatch } from "../../shipping/batches/open-batches.ts";
import { insertBatch } from "../../shipping/batches/store.ts";
import { toBatch } from "./view.ts";

/** `POST /batches` (spec 4.5): groups shipments, none of which is in another unfinished batch. Buys nothing. */
export async function createBatch(ctx: Context, body: unknown): Promise<StoredResponse> {
  const problems = problemsOfBatch(ctx, NewBatch, body);
  const shipment_ids = idsOfBatch(ctx, body);
  if (shipment_ids.length === 0) throwIfAny(problems);
  const given = body as NewBatch;
  const row = newBatch(ctx, { ...given, shipment_ids });
  const { account_id, id: batch_id, created_at } = row;
  const members = { account_id, batch_id, shipment_ids };
  return inTransaction(ctx.db, async (tx) => {
    await joinBatch(tx, members, { given: given.shipment_ids, problems });
    await insertBatch(tx, row);
    await addMembers(tx, members, { after: 0, now: created_at });
    return recordResponse(tx, ctx, {
      answer: answer(201, Batch, toBatch(ctx, row)),
      subject_id: batch_id,
    });
  });
}
