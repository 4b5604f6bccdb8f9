/** What other resources may use of filters. */
export { createFilter } from "./create-filter.ts";
