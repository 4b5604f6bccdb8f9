/** The parts of batches that the seed may use. */
export { createBatch } from "./create-batch.ts";
export { processBatch } from "./process-batch.ts";
