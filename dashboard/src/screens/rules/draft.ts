import type { Body, Criteria, NewRule, Rule } from "@waybill/sdk";

/** An action as it is edited: its fields may be missing or wrong, which the API says. */
export type ActionDraft = { type: ActionType } & Record<string, unknown>;
export type ActionType = NewRule["actions"][number]["type"];
export type Trigger = NewRule["trigger"];

/** A rule as it is edited. */
export interface RuleDraft {
  name: string;
  enabled: boolean;
  priority: number;
  trigger: Trigger;
  filter_id: string | null;
  criteria: Criteria | null;
  actions: ActionDraft[];
  stop_processing: boolean;
}

export const triggers: readonly Trigger[] = [
  "order.created",
  "shipment.created",
  "batch.before_process",
  "shipment.before_purchase",
];

export const emptyRule: RuleDraft = {
  name: "",
  enabled: true,
  priority: 100,
  trigger: "shipment.created",
  filter_id: null,
  criteria: {
    match: "all",
    conditions: [{ field: "to_address.country_code", operator: "eq", value: "CA" }],
  },
  actions: [{ type: "set_service", strategy: "cheapest" }],
  stop_processing: false,
};

/** Whether the trigger's rules are about orders or shipments. */
export function subjectOf(trigger: Trigger): "orders" | "shipments" {
  return trigger === "order.created" ? "orders" : "shipments";
}

/** The part of a saved rule that is edited. */
export function draftOf(rule: Rule): RuleDraft {
  const { name, enabled, priority, trigger, filter_id, criteria, actions, stop_processing } = rule;
  return {
    name,
    enabled,
    priority,
    trigger,
    filter_id,
    criteria,
    stop_processing,
    actions: actions,
  };
}

/** The rule as the API takes it. */
export function bodyOf(draft: RuleDraft): Body<"createRule"> {
  const { filter_id, criteria, ...rest } = draft;
  return {
    ...rest,
    ...(filter_id === null ? {} : { filter_id }),
    ...(criteria === null ? {} : { criteria }),
  } as unknown as Body<"createRule">;
}

/** Whether two values are the same, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
