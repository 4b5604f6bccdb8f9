/** What others may use of products. */
export { loadDeniedParties } from "./denied-parties.ts";
