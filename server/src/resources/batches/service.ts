/** What other resources may use of batches. */
export { placeInOpenBatches } from "./open-batches.ts";
export { accountOf } from "./run/lanes.ts";
