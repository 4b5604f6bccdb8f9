import type { Static } from "typebox";
import { fromCents } from "../../domain/values/money.ts";
import type { Product } from "./schemas.ts";
import type { ProductRow } from "./store.ts";

export function toProduct(row: ProductRow): Static<typeof Product> {
  return {
    sku: row.sku,
    title: row.title,
    description: row.description,
    customs_description: row.customs_description,
    hs_code: row.hs_code,
    hs_code_source: row.hs_code_source,
    hs_confidence: row.hs_confidence,
    manufacturer: row.manufacturer,
    manufacturer_address: row.manufacturer_address,
    country_of_origin: row.country_of_origin,
    value: row.value_cents === null ? null : fromCents(row.value_cents),
    currency: row.currency,
    weight: row.weight,
    weight_unit: row.weight_unit,
    image_url: row.image_url,
    store: row.store,
    external_id: row.external_id,
    status: row.status,
    status_reason: row.status_reason,
    cusma: row.cusma,
    classification: row.classification,
    approved_at: row.approved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
