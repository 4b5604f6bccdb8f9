import { CriteriaTree } from "../../domain/criteria/schema.ts";
import { inOrderOf } from "../../domain/text/key-order.ts";
import type { Filter } from "./schemas.ts";
import type { UsedFilter } from "../../shipping/filters/store.ts";

export function toFilter(row: UsedFilter): Filter {
  return {
    id: row.id,
    name: row.name,
    target: row.target,
    criteria: inOrderOf(CriteriaTree, row.criteria),
    used_by_rules: row.used_by_rules,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
