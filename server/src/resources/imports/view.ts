import type { Static } from "typebox";
import type { Import, ImportRowResult } from "./schemas.ts";
import type { ImportRow, StagedRow } from "./store.ts";

export function toImport(row: ImportRow): Static<typeof Import> {
  const { id, status, row_count, processed_count, created_count, updated_count, error_count } = row;
  return {
    id,
    status,
    row_count,
    processed_count,
    created_count,
    updated_count,
    error_count,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

export function toRowResult({
  row,
  line,
  sku,
  status,
  error,
}: StagedRow): Static<typeof ImportRowResult> {
  if (status === "waiting") throw new Error(`row ${row} has no result yet`);
  return { row, line, sku, status, error };
}
