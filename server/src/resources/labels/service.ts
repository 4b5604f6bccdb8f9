/** What other resources, the worker and the seed may use of labels. */
export { buyAtQuote } from "./buy-at-quote.ts";
export { buyLabel, readyToBuy } from "./buy-label.ts";
export { refuseUnlessBuyable } from "./buyable.ts";
export { labelPurchase } from "./label-purchase.ts";
export { mendDocuments } from "./mend-documents.ts";
export { priceForgotten, rebookLabel, type ForgottenLabel } from "./rebook-label.ts";
export { endOf, endOfAttempt, type Turn, type TurnEnd, type TurnError } from "./turn-end.ts";
