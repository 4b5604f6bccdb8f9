import type { Static } from "typebox";
import { fromCents } from "../../domain/money.ts";
import type { Product } from "./schemas.ts";
import type { ProductRow } from "./store.ts";

export function toProduct(row: ProductRow): Static<typeof Product> {
  const { account_id: _account, id: _id, value_cents, approved_at, ...rest } = row;
  return {
    ...rest,
    value: value_cents === null ? null : fromCents(value_cents),
    approved_at: approved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
