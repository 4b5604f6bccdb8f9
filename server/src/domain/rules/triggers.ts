import type { SubjectKind } from "../criteria/fields.ts";
import { OneOf } from "../values/schema.ts";

/** When rules are evaluated (decision 16), and on what. */

export const triggers = [
  "order.created",
  "shipment.created",
  "shipment.before_purchase",
  "batch.before_process",
] as const;
export type Trigger = (typeof triggers)[number];
export const Trigger = OneOf(triggers, { $id: "RuleTrigger" });

/** The subject of a trigger's rules: a batch's rules see each of its shipments. */
export function subjectOf(trigger: Trigger): SubjectKind {
  return trigger === "order.created" ? "orders" : "shipments";
}
