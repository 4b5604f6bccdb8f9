import { cell, toRow } from "./cells.ts";
import type { CsvRow } from "./read-csv.ts";
import { shopifySku, shopifyTitle } from "./shopify-products.ts";
import type { SourceRow } from "./source-row.ts";

/**
 * Shopify's inventory export, which has HS code and country of origin. A variant has a row for each location
 * that stocks it; repeated rows are skipped.
 */
export const shopifyInventoryColumns = [
  ["sku"],
  ["hs code"],
  ["coo", "country of origin"],
] as const;

export async function* shopifyInventory(rows: AsyncIterable<CsvRow>): AsyncGenerator<SourceRow> {
  const said = new Map<string, string>();
  for await (const row of rows) {
    const sku = shopifySku(row);
    const hs_code = cell(row, "hs code");
    const country_of_origin = cell(row, "coo", "country of origin");
    const facts = JSON.stringify([hs_code, country_of_origin]);
    if (sku !== undefined) {
      if (said.get(sku) === facts) continue;
      if (!said.has(sku)) said.set(sku, facts);
    }
    const title = shopifyTitle(row, cell(row, "title"));
    const external_id = cell(row, "handle");
    const store = "shopify";
    const texts = { sku, title, hs_code, country_of_origin, store, external_id };
    yield toRow(row, texts, { weight_unit: "g" });
  }
}
