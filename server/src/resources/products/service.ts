/** What others may use of products. */
export { approveProduct } from "./approve-product.ts";
export { loadDeniedParties } from "./denied-parties.ts";
export { enrichProducts } from "./enrich-products.ts";
export { hsTableVersion, listHsEntries } from "./hs-table-store.ts";
export { loadHsTable } from "./load-hs-table.ts";
export { SkuTaken, mergeProducts } from "./merge-products.ts";
