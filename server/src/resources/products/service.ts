/** The parts of products that others may use. */
export { approveProduct, rejectProduct } from "./approve-product.ts";
export { createProduct } from "./create-product.ts";
export { loadDeniedParties } from "./denied-parties.ts";
export { enrichProducts } from "./enrich-products.ts";
export { hsTableVersion, listHsEntries } from "./hs-table-store.ts";
export { loadHsTable } from "./load-hs-table.ts";
export { SkuTaken, mergeProducts } from "./merge-products.ts";
