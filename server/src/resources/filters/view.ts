import type { Filter } from "./schemas.ts";
import type { FilterRow } from "./store.ts";

export function toFilter(row: FilterRow): Filter {
  return {
    id: row.id,
    name: row.name,
    target: row.target,
    criteria: row.criteria,
    // There are no rules in this release.
    used_by_rules: 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
