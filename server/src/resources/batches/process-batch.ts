import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { addRuleProblems, ApiError, invalid, throwIfAny } from "../../domain/errors/errors.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { notOpen } from "./change-batch.ts";
import { requeueFailed } from "../../purchasing/queue/item-store.ts";
import { Batch, ProcessBatch } from "./schemas.ts";
import * as store from "../../shipping/batches/store.ts";
import { serviceProblem } from "../../shipping/shipments/service-problem.ts";
import { toBatch } from "./view.ts";

/**
 * `POST /batches/{batch_id}/process` (spec 4.5): queues the batch for the workers and answers 202. It is
 * `processing` from the commit of that response on, so that a client that polls until it is not cannot stop
 * early. A batch that completed with errors is processed again for what failed, with the service and format
 * of the last run unless the body names others.
 */
export async function processBatch(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const { service, label_format, label_size } = readProcess(ctx, body);
  return inTransaction(ctx.db, async (tx) => {
    const batch = await store.lockBatch(tx, ctx.account.account_id, id);
    if (batch.shipment_ids.length === 0)
      throw new ApiError("conflict", {
        message: "The batch has no shipments.",
        details: { status: batch.status },
      });
    refuseOtherFormat(batch, label_format);
    const isMoved = await store.moveBatch(tx, batch, {
      status: "processing",
      service: service ?? batch.service,
      label_format: label_format ?? batch.label_format ?? (await store.agreedFormat(tx, batch)),
      label_size: label_size ?? batch.label_size,
      process_started_at: ctx.clock.now(),
      processed_at: null,
      combined_file_key: null,
      combined_bytes: null,
      combined_sha256: null,
      combine_at: null,
      combine_holder_id: null,
      ...originOf(ctx),
    });
    if (!isMoved) throw notOpen(batch);
    if (batch.status !== "open") await requeueFailed(tx, batch);
    const started = await store.getBatch(tx, batch.account_id, id);
    return recordResponse(tx, ctx, {
      answer: answer(202, Batch, toBatch(ctx, started)),
      subject_id: id,
    });
  });
}

/** Labels of two formats cannot be combined into one file. */
function refuseOtherFormat(
  { success_count, label_format: bought }: store.BatchRow,
  wanted: ProcessBatch["label_format"],
): void {
  if (success_count === 0 || !wanted || wanted === bought) return;
  throw invalid({ label_format: [`must be ${bought}, as the labels bought already are.`] });
}

/** Throws 422 with every failing field. A batch may have freight beside parcels, so any service may be named. */
function readProcess(ctx: Context, body: unknown): ProcessBatch {
  const wanted = (body ?? {}) as ProcessBatch;
  const problems = problemsOf(ProcessBatch, wanted);
  const sentence = serviceProblem(ctx, wanted.service, null);
  if (sentence) addRuleProblems(problems, { service: [sentence] });
  throwIfAny(problems);
  return wanted;
}
