/** What other resources may use of filters. */
export { findFilter } from "./store.ts";
export { narrowed, narrowing, narrowingBy, type Narrowing } from "./narrow-list.ts";
export { createFilter } from "./create-filter.ts";
