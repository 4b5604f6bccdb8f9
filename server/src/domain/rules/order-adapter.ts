import { readOrder, type EvaluationContext } from "../criteria/reading.ts";
import type { Action } from "./actions.ts";
import { changeOrder, type OrderDraft } from "./order-actions.ts";
import type { RuleAdapter } from "./run-rules.ts";

/**
 * How rules act on orders. Actions on properties of shipments wait on the order, and are thus a change of
 * it.
 */
export function orderAdapter<D extends OrderDraft>(
  context: EvaluationContext,
  onBug: RuleAdapter<D>["onBug"],
): RuleAdapter<D> {
  return {
    read: (draft) => readOrder(draft, context),
    change: (draft, action, rule) =>
      changeOrder(draft, action as Exclude<Action, { type: "reject" }>, rule) as Partial<D>,
    noteSideEffect: () => undefined,
    // Every change is allowed for any order.
    validate: () => undefined,
    onBug,
  };
}
