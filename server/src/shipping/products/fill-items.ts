import type { Database, Tx } from "../../database/tables.ts";
import { cleanText, isStorable } from "../../domain/text/text.ts";
import { approvedProducts } from "./approved-store.ts";

/** Customs fields that an approved product has for an item. */
const filledFields = [
  "customs_description",
  "hs_code",
  "country_of_origin",
  "manufacturer",
] as const;

/**
 * Entries of a request; items that name the `sku` of an approved product get the customs fields that they
 * leave out from it (decision 5). The entries are not validated yet; unknown skus change nothing. One query,
 * and none where no field is missing.
 */
export async function withProducts(
  db: Database | Tx,
  accountId: string,
  entries: readonly unknown[],
): Promise<unknown[]> {
  const skus = new Set(entries.flatMap((entry) => itemsOf(entry).flatMap(skuToAskFor)));
  if (skus.size === 0) return [...entries];
  const products = await approvedProducts(db, accountId, [...skus]);
  if (products.length === 0) return [...entries];
  const bySku = new Map(products.map((product) => [product.sku, product]));
  return entries.map((entry) => {
    const items = itemsOf(entry);
    if (items.length === 0) return entry;
    return { ...(entry as object), items: items.map((item) => filled(item, bySku)) };
  });
}

function itemsOf(entry: unknown): unknown[] {
  const items = (entry as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(items) ? (items as unknown[]) : [];
}

/** No product has a longer one. */
const skuLengthMax = 100;

function skuToAskFor(item: unknown): string[] {
  if (typeof item !== "object" || item === null) return [];
  const given = item as Record<string, unknown>;
  const sku = skuOf(given);
  return sku !== null && filledFields.some((field) => isBlank(given[field])) ? [sku] : [];
}

function skuOf({ sku }: Record<string, unknown>): string | null {
  if (typeof sku !== "string" || sku.length > skuLengthMax || !isStorable(sku)) return null;
  return cleanText(sku);
}

function filled(
  item: unknown,
  bySku: ReadonlyMap<string, Awaited<ReturnType<typeof approvedProducts>>[number]>,
): unknown {
  if (typeof item !== "object" || item === null) return item;
  const given = item as Record<string, unknown>;
  const product = bySku.get(skuOf(given) ?? "");
  if (!product) return item;
  const missing = filledFields.filter((field) => isBlank(given[field]));
  return { ...given, ...Object.fromEntries(missing.map((field) => [field, product[field]])) };
}

function isBlank(value: unknown): boolean {
  return value == null || (typeof value === "string" && value.trim() === "");
}
