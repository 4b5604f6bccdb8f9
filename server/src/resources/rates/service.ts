/** What other resources may use of rates. */
export { primaryQuote, totalAtCost, type Quoted } from "./primary-quote.ts";
export { quoteShipment, shipmentDigest, shipmentForCarrier } from "./quote-shipment.ts";
