/** What others may use of products. */
export { approveProduct } from "./approve-product.ts";
export { mergeProducts, SkuTaken } from "./merge-products.ts";
export { withProducts } from "./fill-items.ts";
export { loadDeniedParties } from "./denied-parties.ts";
export { hsTableVersion, listHsEntries } from "./hs-table-store.ts";
export { enrichProducts } from "./enrich-products.ts";
export { loadHsTable } from "./load-hs-table.ts";
