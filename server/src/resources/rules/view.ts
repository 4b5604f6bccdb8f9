import type { RunRow } from "./run-store.ts";
import type { Rule, RuleRun } from "./schemas.ts";
import type { CountedRule } from "./store.ts";

/** Rules and their runs as the API shows them. */

export function toRule({ account_id: _account, ...row }: CountedRule): Rule {
  return {
    ...row,
    last_run_at: row.last_run_at && row.last_run_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toRun({ account_id: _account, subject_type, subject_id, ...row }: RunRow): RuleRun {
  return {
    ...row,
    order_id: subject_type === "order" ? subject_id : null,
    shipment_id: subject_type === "shipment" ? subject_id : null,
    created_at: row.created_at.toISOString(),
  };
}
