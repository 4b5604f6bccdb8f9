/** The part of exchange rates that the seed may use. */
export { loadRates as importRates } from "./change-rates.ts";
