/** What other resources, the worker and the seed may use of labels. */
export { buyAtQuote, buyLabel, refuseUnlessBuyable } from "./buy-label.ts";
export { labelPurchase } from "./label-purchase.ts";
export { priceForgotten, rebookLabel, type ForgottenLabel } from "./rebook-label.ts";
