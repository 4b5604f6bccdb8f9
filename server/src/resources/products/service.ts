/** What others may use of products. */
export { bringProducts, lookAtProducts, SkuTaken } from "./bring-products.ts";
export { loadDeniedParties } from "./denied-parties.ts";
