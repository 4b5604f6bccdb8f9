import type { BookRow } from "../../shipping/addresses/store.ts";
import type { BookAddress } from "./schemas.ts";

export function toBookAddress(row: BookRow): BookAddress {
  return {
    id: row.id,
    label: row.label,
    address: row.address,
    uses: row.uses,
    is_default: row.default_for.length > 0,
    default_for: row.default_for,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
