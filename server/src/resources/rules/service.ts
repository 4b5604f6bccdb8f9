/** What other resources may use of rules: the moments at which they act. */
export { foreseenTerms, ruleBeforePurchase } from "./rule-before-purchase.ts";
export { ruleOrders } from "./rule-orders.ts";
export { ruleShipments, type Purpose } from "./rule-shipments.ts";
export { renewVersion } from "./store.ts";
