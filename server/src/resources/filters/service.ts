/** What other resources may use of filters. */
export { findFilter } from "./store.ts";
export { narrowing, narrowingBy, type Narrowing } from "./narrow-list.ts";
