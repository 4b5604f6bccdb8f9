/** What others may use of products. */
export { bringProducts, lookAtProducts, SkuTaken } from "./bring-products.ts";
export { classifyGoods } from "./classify.ts";
export { withProducts } from "./fill-items.ts";
export { loadDeniedParties } from "./denied-parties.ts";
export { hsTableVersion, listHsEntries } from "./hs-table-store.ts";
export { loadHsTable } from "./load-hs-table.ts";
