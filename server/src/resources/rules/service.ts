/** What other resources may use of rules: the moments at which they act, and what makes them other ones. */
export { createRule } from "./save-rule.ts";
