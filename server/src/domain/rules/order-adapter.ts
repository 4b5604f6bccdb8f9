import { readOrder, type Terms } from "../criteria/reading.ts";
import type { Action } from "./actions.ts";
import { changeOrder, type OrderDraft } from "./order-actions.ts";
import type { RuleAdapter } from "./run-rules.ts";

/** How rules act on orders. What only a shipment can have waits on the order, and so is a change of it. */
export function orderAdapter<D extends OrderDraft>(
  terms: Terms,
  onBug: RuleAdapter<D>["onBug"],
): RuleAdapter<D> {
  return {
    read: (draft) => readOrder(draft, terms),
    change: (draft, action, rule) =>
      changeOrder(draft, action as Exclude<Action, { type: "reject" }>, rule) as Partial<D>,
    noteSideEffect: () => undefined,
    // Every change is one that any order may have.
    judge: () => undefined,
    onBug,
  };
}
