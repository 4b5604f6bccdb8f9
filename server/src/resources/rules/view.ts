import { CriteriaTree } from "../../domain/criteria/schema.ts";
import { schemaOfAction } from "../../domain/rules/actions.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import type { RunRow } from "../../automation/run-store.ts";
import type { Rule, RuleRun } from "./schemas.ts";
import type { CountedRule } from "../../automation/store.ts";

/** Rules and their runs as the API shows them. */

export function toRule(row: CountedRule): Rule {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    priority: row.priority,
    trigger: row.trigger,
    filter_id: row.filter_id,
    criteria: row.criteria && inOrderOf(CriteriaTree, row.criteria),
    actions: row.actions.map((action) => inOrderOf(schemaOfAction(action.type), action)),
    stop_processing: row.stop_processing,
    last_run_at: row.last_run_at && row.last_run_at.toISOString(),
    run_count: row.run_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toRun(row: RunRow): RuleRun {
  return {
    id: row.id,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    trigger: row.trigger,
    order_id: row.subject_type === "order" ? row.subject_id : null,
    shipment_id: row.subject_type === "shipment" ? row.subject_id : null,
    status: row.status,
    changes: row.changes,
    error: row.error,
    purchase: row.purchase,
    created_at: row.created_at.toISOString(),
  };
}
