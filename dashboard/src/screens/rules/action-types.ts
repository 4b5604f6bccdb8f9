import type { ActionDraft, ActionType, Trigger } from "./draft.ts";

/** Each action with the fields that it begins with, in the order of the menu. */
const firsts: Record<ActionType, Record<string, unknown>> = {
  set_service: { strategy: "cheapest" },
  exclude_carrier: {},
  exclude_service: {},
  add_add_on: { add_on: "protection" },
  add_tag: { tag: "" },
  remove_tag: { tag: "" },
  hold: {},
  buy_label: {},
  add_to_batch: { name: "" },
  set_package: { size_unit: "cm" },
  add_weight: { weight_unit: "g" },
  set_reference: { reference: "" },
  set_customs: {},
  set_from_address: { address: {} },
  reject: { message: "" },
};

const buying: readonly ActionType[] = ["buy_label", "add_to_batch"];

/** The actions that a trigger allows: what is being bought is not bought or put into a batch by a rule. */
export function possibleTypes(trigger: Trigger): ActionType[] {
  const isBuying = trigger === "shipment.before_purchase" || trigger === "batch.before_process";
  const types = Object.keys(firsts) as ActionType[];
  return types.filter((type) => !isBuying || !buying.includes(type));
}

/** A new action of the type. */
export function firstAction(type: ActionType): ActionDraft {
  return { type, ...firsts[type] };
}
