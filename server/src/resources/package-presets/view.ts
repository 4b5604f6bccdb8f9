import type { PackagePreset } from "./schemas.ts";
import type { PresetRow } from "./store.ts";

export function toPreset({ account_id: _, ...row }: PresetRow): PackagePreset {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
