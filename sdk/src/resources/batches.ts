import type { BatchesMethods as Plain } from "../../generated/resources.ts";
import type { Body, CallOptions, Envelope } from "../call.ts";
import { WaybillError } from "../errors.ts";
import { sleep } from "../retry.ts";

export interface ProcessOptions extends CallOptions {
  /** After each look at the batch. */
  onProgress?(batch: Envelope<"getBatch">["data"]): void;
  body?: Body<"processBatch">;
}

/** Batches, and waiting for one to be done. */
export interface BatchesMethods extends Plain {
  /**
   * Processes a batch and resolves with it at its end: `completed`, or `completed_with_errors`. One that is processing already is
   * waited for.
   *
   * Scopes and errors: as the operations `processBatch` and `getBatch`. The signal ends the waiting, not the batch.
   */
  processAndWait(batch_id: string, options?: ProcessOptions): Promise<Envelope<"getBatch">>;
}

/** The methods of batches. */
export function batchesOf(batches: Plain): BatchesMethods {
  return {
    ...batches,
    async processAndWait(batch_id, { onProgress, body, ...options } = {}) {
      await batches.process(batch_id, body, options).catch((error: unknown) => {
        if (!(error instanceof WaybillError) || error.code !== "batch_processing") throw error;
      });
      // Small batches are done at once; a full one takes minutes, and its answer is large.
      for (let delay = 250; ; delay = Math.min(delay * 1.5, 5000)) {
        const batch = await batches.get(batch_id, options);
        onProgress?.(batch.data);
        if (batch.data.status !== "processing") return batch;
        await sleep(delay, options.signal);
      }
    },
  };
}
