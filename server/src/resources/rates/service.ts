/** What other resources may use of rates. */
export { primaryQuote, type Quoted } from "./primary-quote.ts";
export { shipmentForCarrier } from "./quote-shipment.ts";
