import type { Run } from "../domain/rules/run-rules.ts";
import type { RunRow } from "./run-store.ts";

/** What rules did to a shipment, as its `messages` tell it. */

/** A line among them. */
export interface RuleMessage {
  code: "rule_applied" | "rule_failed" | "label_bought_by_rule" | "label_not_bought_by_rule";
  text: string;
  rule_id: string;
  run_id: string;
  created_at: string;
}

/** The line of one run: what the rule set, or why it was not applied. */
export function messageOf({ id, rule_id, rule_name, created_at, ...run }: RunRow): RuleMessage {
  return {
    code: run.status === "applied" ? "rule_applied" : "rule_failed",
    text: textOf(rule_name, run),
    rule_id,
    run_id: id,
    created_at: created_at.toISOString(),
  };
}

function textOf(
  name: string,
  {
    status,
    changes,
    error,
    purchase,
  }: Pick<Run, "status" | "changes" | "error"> & Pick<RunRow, "purchase">,
): string {
  if (status !== "applied") return `The rule "${name}" was not applied: ${error?.message ?? ""}`;
  const fields = [...new Set(changes.map(({ field }) => field))];
  const asked = purchase ? " It asked for the label." : "";
  if (fields.length === 0) return `The rule "${name}" changed nothing.${asked}`;
  return `The rule "${name}" set ${fields.join(", ")}.${asked}`;
}
