import type { AccountContext, Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { throwIfAny } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { answer, recordAnswer, type Answer } from "../../http/idempotency.ts";
import { addMembers } from "./member-store.ts";
import { canBeLookedUp, claimMembers, problemsOfBatch } from "./members.ts";
import { Batch, NewBatch } from "./schemas.ts";
import { insertBatch, type BatchRow } from "./store.ts";
import { toBatch } from "./view.ts";

/** `POST /batches` (spec 4.5): groups shipments, none of which is in another unfinished batch. Buys nothing. */
export async function createBatch(ctx: Context, body: unknown): Promise<Answer> {
  const problems = problemsOfBatch(ctx, NewBatch, body);
  if (!canBeLookedUp(ctx, body)) throwIfAny(problems);
  const row = newBatch(ctx, body as NewBatch);
  const { account_id, id: batch_id, shipment_ids, created_at } = row;
  const members = { account_id, batch_id, shipment_ids };
  return inTransaction(ctx.db, async (tx) => {
    await claimMembers(tx, members, { given: shipment_ids, problems });
    await insertBatch(tx, row);
    await addMembers(tx, members, { after: 0, now: created_at });
    return recordAnswer(tx, ctx.claim, answer(201, Batch, toBatch(ctx, row)));
  });
}

/** A batch that is open. */
export function newBatch(
  ctx: AccountContext,
  { name, shipment_ids, label_format, label_size }: NewBatch,
): BatchRow {
  const now = ctx.clock.now();
  return {
    account_id: ctx.account.account_id,
    id: newId("bat", now),
    name,
    status: "open",
    shipment_ids,
    service: null,
    label_format: label_format ?? null,
    label_size: label_size ?? null,
    success_count: 0,
    error_count: 0,
    total_cost_cents: 0,
    created_at: now,
    process_started_at: null,
    processed_at: null,
    combined_file_key: null,
    combined_bytes: null,
    combined_sha256: null,
    combine_at: null,
    combine_holder_id: null,
  };
}
