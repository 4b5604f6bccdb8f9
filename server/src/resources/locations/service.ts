/** What the shell and the seed may use of locations. */
export { importLocations, type ImportReport } from "./import-locations.ts";
export { rowsOf, rowsOfCsv, rowsOfJson } from "./read-source.ts";
export { catalogueVersion } from "./store.ts";
