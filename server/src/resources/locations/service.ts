/** The parts of locations that the shell and the seed may use. */
export { importLocations, type ImportReport } from "./import-locations.ts";
export { rowsOf, rowsOfCsv, rowsOfJson } from "./read-source.ts";
export { catalogueVersion } from "./store.ts";
