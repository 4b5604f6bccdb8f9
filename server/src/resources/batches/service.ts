/** What other resources may use of batches. */
export { placeInOpenBatches } from "./open-batches.ts";
export { combineAgain } from "./combine/combine-store.ts";
export { accountOf } from "./run/lanes.ts";
