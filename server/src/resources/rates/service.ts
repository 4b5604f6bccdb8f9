/** What other resources may use of rates. */
export { primaryQuote, totalAtCost, type Quoted } from "./primary-quote.ts";
export { quotedRate } from "./quotes.ts";
export { sweepQuotes } from "./store.ts";
export { quoteShipment, shipmentDigest, shipmentForCarrier } from "./quote-shipment.ts";
