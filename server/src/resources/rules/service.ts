/** What other resources may use of rules: the moments at which they act, and what makes them other ones. */
export { foreseenTerms, ruleBeforePurchase, purchaseRules } from "./rule-before-purchase.ts";
export { planOrders, ruleOrders, type OrderPlan } from "./rule-orders.ts";
export { planShipments, ruleShipments, type Purpose, type ShipmentPlan } from "./rule-shipments.ts";
export { createRule } from "./save-rule.ts";
export { renewVersion } from "./store.ts";
