/** The parts of filters that other resources may use. */
export { createFilter } from "./create-filter.ts";
