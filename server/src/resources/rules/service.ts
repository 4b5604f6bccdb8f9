/** The parts of rules that other resources may use: the moments at which they act, and their changes. */
export { createRule } from "./save-rule.ts";
