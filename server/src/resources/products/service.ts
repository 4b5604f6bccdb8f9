/** What others may use of products. */
export { approveProduct } from "./approve-product.ts";
export { bringProducts, SkuTaken } from "./bring-products.ts";
export { withProducts } from "./fill-items.ts";
export { loadDeniedParties } from "./denied-parties.ts";
export { hsTableVersion, listHsEntries } from "./hs-table-store.ts";
export { lookAtProducts } from "./look-at-products.ts";
export { loadHsTable } from "./load-hs-table.ts";
